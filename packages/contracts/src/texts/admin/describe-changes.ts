import { formatField } from './format-field.ts';

/** `before` is undefined for a new field. */
export type Change = { field: string; before: string | undefined; after: string };
type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => value !== null && typeof value === 'object';

/** Words in field names that aren't written in lowercase. */
const ownSpelling = { api: 'API', id: 'ID', og: 'Open Graph', seo: 'SEO', smtp: 'SMTP', url: 'URL' } as const;

const spell = (word: string): string =>
  Object.hasOwn(ownSpelling, word) ? ownSpelling[word as keyof typeof ownSpelling] : word;

/** Converts a field name to words: `subscriptionTier` -> `subscription tier`, `smtpHost` -> `SMTP host`. */
const toWords = (name: string) =>
  name
    .replace(/_/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ')
    .map(spell)
    .join(' ');

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return String(value) || 'Empty';
}

/** Names of fields that have another name on screens. */
const fieldNames: Readonly<Record<string, string>> = {
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

/** Whether a change is the ID of an accepted invitation, which is hidden because the invitation no longer exists. */
const isInvitationId = ({ field, before }: Change) => field === 'Invitation' && isUuid(before);

/** Lists all values of nested objects and lists by their path in words. A list of plain values is one value. */
function flatten(fields: object, path: readonly string[] = []): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const own = [...path, Array.isArray(fields) ? String(Number(name) + 1) : toWords(name)];
    if (Array.isArray(value) && !value.some(isObject))
      return [[own.join(' '), value.length > 0 ? value.map(describeValue).join(', ') : 'None']];
    return isObject(value) ? flatten(value, own) : [[own.join(' '), describeValue(value)]];
  });
}

function nameField(words: string): string {
  const name = capitalize(words);
  return fieldNames[name] ?? name;
}

/** Lists the fields that differ between two objects, in words. */
export function describeChanges({ before, after }: { before: Fields; after: Fields }): Change[] {
  const [was, is] = [new Map(flatten(before)), new Map(flatten(after))];
  // Null for a created or removed object is omitted, because the fields of the object are listed.
  const isParent = (field: string) => [...was.keys(), ...is.keys()].some((other) => other.startsWith(`${field} `));
  const names = [...new Set([...is.keys(), ...was.keys()])].filter((name) => was.get(name) !== is.get(name));
  return names
    .filter((name) => (is.get(name) ?? was.get(name)) !== 'None' || !isParent(name))
    .map((name) => ({ field: nameField(name), before: was.get(name), after: is.get(name) ?? 'None' }))
    .filter((change) => !isInvitationId(change));
}

/** Formats a change: `Role: None -> Support`. */
export function formatChange({ field, before, after }: Change, names?: Readonly<Record<string, string>>): string {
  const was = before === undefined ? '' : `${formatField(field, before, { names })} -> `;
  return `${field}: ${was}${formatField(field, after, { names })}`;
}
