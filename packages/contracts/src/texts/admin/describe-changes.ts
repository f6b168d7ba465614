import { type Role, roles } from '../../policy/admin/permissions.ts';
import { countImages, meters } from '../../policy/plans/meters.ts';
import { currentPlans, type Tier } from '../../policy/plans/plans.ts';
import { formatBytes, formatDay, formatMoney } from '../format.ts';

const isTier = (text: string): text is Tier => Object.hasOwn(currentPlans, text);
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** Converts a code to words: `past_due` -> `Past due`. */
const codeToWords = (text: string) => capitalize(text.replace(/_/g, ' '));

const isoTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;
const isoDayPattern = /^\d{4}-\d\d-\d\d$/;
const minute = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const formatUtcTime = (time: string) => `${minute.format(new Date(time))} UTC`;

const meterNames = new Map<string, string>(meters.map((meter) => [meter, capitalize(countImages(2, meter).slice(2))]));

/** `-created` -> `Created, descending`. */
const formatSort = (sort: string) =>
  sort.startsWith('-') ? `${codeToWords(sort.slice(1))}, descending` : `${codeToWords(sort)}, ascending`;

/**
 * Formatters for field values. `field` matches the field name in words, and `text` matches the value. The first match
 * is used.
 */
const fieldFormatters: readonly (readonly [field: RegExp, text: RegExp, format: (text: string) => string])[] = [
  [
    /^(engine hour costs|yearly|packs \d+ amount|refunded|amount)\b/i,
    /^\d+$/,
    (text) => formatMoney({ amount: Number(text), currency: 'usd' }),
  ],
  [/\b(size|bytes)$/i, /^\d+$/, (text) => formatBytes(Number(text))],
  [/\b(meter|credit type)$/i, /^\w+$/, (text) => meterNames.get(text) ?? text],
  [/\brole$/i, /^\w+$/, (text) => ((roles as readonly string[]).includes(text) ? capitalize(text as Role) : text)],
  [
    /\b(tier|plans?)$/i,
    /./,
    (text) =>
      text
        .split(', ')
        .map((one) => (isTier(one) ? currentPlans[one].name : one))
        .join(', '),
  ],
  [/^format$/i, /^(csv|json)$/, (text) => text.toUpperCase()],
  [/^sorted by$/i, /^-?\w+$/, formatSort],
  [/^list$/i, /^[a-z ]+$/, (text) => capitalize(text.replace(/\bapi\b/, 'API'))],
  [
    /\b(status|state|when|interval|duration|discount type|severity|fallback|surface|outcome)$/i,
    /^[a-z]+(_[a-z]+)*$/,
    codeToWords,
  ],
];

type FieldOptions = {
  /** Display names by ID. */
  names?: Readonly<Record<string, string>> | undefined;
  /** UTC by default. */
  time?: (time: string) => string;
};

/**
 * Formats a field value. Times, days, amounts, sizes, credits, roles, plans, and states are formatted as words, and IDs
 * as names. Other values are returned unchanged. `field`: field name in words.
 */
export function formatField(
  field: string,
  text: string,
  { names = {}, time = formatUtcTime }: FieldOptions = {},
): string {
  if (isoTimePattern.test(text)) return time(text);
  if (isoDayPattern.test(text)) return formatDay(text);
  const [, , format] = fieldFormatters.find(([name, value]) => name.test(field) && value.test(text)) ?? [];
  return Object.hasOwn(names, text) ? (names[text] ?? text) : (format?.(text) ?? text);
}

/** `before`: undefined if the field was added. */
type Change = { field: string; before: string | undefined; after: string };
type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => value !== null && typeof value === 'object';

/** Words in field names that aren't written in lowercase. */
const ownSpelling = { api: 'API', id: 'ID', og: 'Open Graph', seo: 'SEO', smtp: 'SMTP', url: 'URL' } as const;

const spell = (word: string): string =>
  Object.hasOwn(ownSpelling, word) ? ownSpelling[word as keyof typeof ownSpelling] : word;

/** `subscriptionTier` -> `subscription tier`, `smtpHost` -> `SMTP host`. */
const toWords = (name: string) =>
  name
    .replace(/_/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ')
    .map(spell)
    .join(' ');

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return String(value) || 'Empty';
}

const fieldLabels: Readonly<Record<string, string>> = {
  'Grant units': 'Credits',
  'Grant meter': 'Credit type',
  'Grant expires at': 'Expires',
  Units: 'Credits',
  Meter: 'Credit type',
  'Subscription tier': 'Plan',
  'Subscription ends at': 'Plan ends',
  Sort: 'Sorted by',
};

const isUuid = (text: string | undefined) =>
  text !== undefined && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/**
 * Whether a change contains the ID of an accepted invitation. The ID is hidden, because the invitation no longer
 * exists.
 */
const isInvitationId = ({ field, before }: Change) => field === 'Invitation' && isUuid(before);

/** Each value has its path in words. An array of plain values is listed as one value. */
function flattenFields(fields: object, path: readonly string[] = []): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const own = [...path, Array.isArray(fields) ? String(Number(name) + 1) : toWords(name)];
    if (Array.isArray(value) && !value.some(isObject))
      return [[own.join(' '), value.length > 0 ? value.map(describeValue).join(', ') : 'None']];
    return isObject(value) ? flattenFields(value, own) : [[own.join(' '), describeValue(value)]];
  });
}

function fieldNameOf(words: string): string {
  const name = capitalize(words);
  return fieldLabels[name] ?? name;
}

/** Lists the fields that differ between two objects. Names and values are in words. */
export function describeChanges({ before, after }: { before: Fields; after: Fields }): Change[] {
  const [was, is] = [new Map(flattenFields(before)), new Map(flattenFields(after))];
  // A created or removed object is null on one side. That null is omitted, because the object's fields are listed.
  const isParent = (field: string) => [...was.keys(), ...is.keys()].some((other) => other.startsWith(`${field} `));
  const names = [...new Set([...is.keys(), ...was.keys()])].filter((name) => was.get(name) !== is.get(name));
  return names
    .filter((name) => (is.get(name) ?? was.get(name)) !== 'None' || !isParent(name))
    .map((name) => ({ field: fieldNameOf(name), before: was.get(name), after: is.get(name) ?? 'None' }))
    .filter((change) => !isInvitationId(change));
}

/** Formats a change: `Role: None -> Support`. */
export function formatChange({ field, before, after }: Change, names?: Readonly<Record<string, string>>): string {
  const was = before === undefined ? '' : `${formatField(field, before, { names })} -> `;
  return `${field}: ${was}${formatField(field, after, { names })}`;
}
