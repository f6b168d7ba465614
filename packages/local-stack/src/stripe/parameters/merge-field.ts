/** Returns a field after a request: unchanged if the request leaves it out, null if the request empties it. */
export const mergeText = (input: string | null | undefined, current: string | null | undefined): string | null =>
  input === undefined ? (current ?? null) : input || null;

/** Returns the ID in a field. The double stores IDs only, and the SDK's types also allow the object. */
export function idOf(field: string | { id: string }): string;
export function idOf(field: string | { id: string } | null | undefined): string | null;
export function idOf(field: string | { id: string } | null | undefined): string | null {
  return typeof field === 'string' ? field : (field?.id ?? null);
}
