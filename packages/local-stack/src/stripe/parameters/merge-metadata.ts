/** Metadata as a request carries it: an empty value removes its key, and an empty string removes all keys. */
type MetadataInput = Record<string, string | number | null> | '' | null | undefined;

/** Returns the metadata of an object after a request. */
export function mergeMetadata(current: Record<string, string> | null, input: MetadataInput): Record<string, string> {
  if (input === '' || input === null) return {};
  const merged = { ...current };
  for (const [key, value] of Object.entries(input ?? {}))
    if (value === '' || value === null) delete merged[key];
    else merged[key] = String(value);
  return merged;
}
