import { type Role, roles } from '../../policy/admin/permissions.ts';
import { countImages, meters } from '../../policy/plans/meters.ts';
import { currentPlans, type Tier } from '../../policy/plans/plans.ts';
import { formatBytes, formatDay, formatMoney } from '../format.ts';

const isTier = (text: string): text is Tier => Object.hasOwn(currentPlans, text);
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** Converts a code to words: `past_due` -> `Past due`. */
const toWords = (text: string) => capitalize(text.replace(/_/g, ' '));

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;
const isoDay = /^\d{4}-\d\d-\d\d$/;
const minute = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const formatUtcTime = (time: string) => `${minute.format(new Date(time))} UTC`;

const meterNames = new Map<string, string>(meters.map((meter) => [meter, capitalize(countImages(2, meter).slice(2))]));

/** Formats a sort order: `-created` -> `Created, descending`. */
const formatSort = (sort: string) =>
  sort.startsWith('-') ? `${toWords(sort.slice(1))}, descending` : `${toWords(sort)}, ascending`;

/** Formatters by name of a field in words and format of its value. The first match applies. */
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
    toWords,
  ],
];

type FieldOptions = {
  /** Names by ID. */
  names?: Readonly<Record<string, string>> | undefined;
  /** Formats a time. UTC by default. */
  time?: (time: string) => string;
};

/**
 * Formats the value of a field: times, days, amounts, sizes, credits, roles, plans, and states in words, and IDs as
 * names. Returns other values unchanged. `field`: name of the field in words.
 */
export function formatField(
  field: string,
  text: string,
  { names = {}, time = formatUtcTime }: FieldOptions = {},
): string {
  if (isoTime.test(text)) return time(text);
  if (isoDay.test(text)) return formatDay(text);
  const [, , format] = fieldFormatters.find(([name, value]) => name.test(field) && value.test(text)) ?? [];
  return Object.hasOwn(names, text) ? (names[text] ?? text) : (format?.(text) ?? text);
}
