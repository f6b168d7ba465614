import type Stripe from 'stripe';

/** A type of Stripe's SDK as sent over HTTP, where decimals are strings. */
export type Wire<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends Stripe.Decimal
    ? string
    : T extends readonly (infer Element)[]
      ? Wire<Element>[]
      : T extends object
        ? { [Key in keyof T]: Wire<T[Key]> }
        : T;

/** The only API version that the double supports, which is the SDK's. The compiler checks that they match. */
export const apiVersion: Stripe.LatestApiVersion = '2026-10-28.endive';
