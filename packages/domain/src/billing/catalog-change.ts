import { randomUUID } from 'node:crypto';

/** A change at Stripe. `id` is Stripe's, `name` the product's or the price's lookup key. */
export type CatalogChange = {
  change: 'created' | 'updated' | 'archived' | 'restored';
  object: 'product' | 'price';
  id: string;
  name: string;
};
export type OnChange = (change: CatalogChange) => void;

/**
 * Returns a key for one call. IDs of products and lookup keys of prices keep a repeated run from creating them twice, so the
 * key isn't stored: it only covers the retry of a lost reply.
 */
export const makeCallKey = (): string => `billing-sync:${randomUUID()}`;
