import type Stripe from 'stripe';

/** The form in which a type from Stripe's SDK is sent over HTTP. Decimals are sent as strings. */
export type Wire<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends Stripe.Decimal
    ? string
    : T extends readonly (infer Element)[]
      ? Wire<Element>[]
      : T extends object
        ? { [Key in keyof T]: Wire<T[Key]> }
        : T;

/** The only API version that the double supports. The compiler checks that it matches the SDK's version. */
export const apiVersion: Stripe.LatestApiVersion = '2026-10-28.endive';
