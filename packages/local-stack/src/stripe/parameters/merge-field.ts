import type Stripe from 'stripe';
import type { Wire } from '../wire.ts';

/** Returns a field after a request: unchanged if the request leaves it out, null if the request empties it. */
export const mergeText = (input: string | null | undefined, current: string | null | undefined): string | null =>
  input === undefined ? (current ?? null) : input || null;

/** Returns the ID in a field. The double stores IDs only, and the SDK's types also allow the object. */
export function idOf(field: string | { id: string }): string;
export function idOf(field: string | { id: string } | null | undefined): string | null;
export function idOf(field: string | { id: string } | null | undefined): string | null {
  return typeof field === 'string' ? field : (field?.id ?? null);
}

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

/** Returns an address of a request as replies carry it. */
export const toAddress = (input: Wire<Stripe.AddressParam>): Wire<Stripe.Address> => ({
  city: input.city ?? null,
  country: input.country ?? null,
  line1: input.line1 ?? null,
  line2: input.line2 ?? null,
  postal_code: input.postal_code ?? null,
  state: input.state ?? null,
});
