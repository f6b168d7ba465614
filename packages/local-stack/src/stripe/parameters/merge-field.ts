import type Stripe from 'stripe';
import type { Wire } from '../wire.ts';

/** Returns the value of a field after a request: unchanged if the request omits it, null if the request clears it. */
export const mergeText = (input: string | null | undefined, current: string | null | undefined): string | null =>
  input === undefined ? (current ?? null) : input || null;

/** The double stores only IDs, but the SDK's types also allow the object. */
export function idOf(field: string | { id: string }): string;
export function idOf(field: string | { id: string } | null | undefined): string | null;
export function idOf(field: string | { id: string } | null | undefined): string | null {
  return typeof field === 'string' ? field : (field?.id ?? null);
}

/**
 * Metadata in a request. An empty value or null removes its key. An empty string or null instead of an object removes
 * all keys.
 */
type MetadataInput = Record<string, string | number | null> | '' | null | undefined;

/** Merges the metadata in a request into an object's current metadata. */
export function mergeMetadata(current: Record<string, string> | null, input: MetadataInput): Record<string, string> {
  if (input === '' || input === null) return {};
  const merged = { ...current };
  for (const [key, value] of Object.entries(input ?? {}))
    if (value === '' || value === null) delete merged[key];
    else merged[key] = String(value);
  return merged;
}

/** Converts an address in a request to its form in replies, where missing fields are null. */
export const toAddress = (input: Wire<Stripe.AddressParam>): Wire<Stripe.Address> => ({
  city: input.city ?? null,
  country: input.country ?? null,
  line1: input.line1 ?? null,
  line2: input.line2 ?? null,
  postal_code: input.postal_code ?? null,
  state: input.state ?? null,
});
