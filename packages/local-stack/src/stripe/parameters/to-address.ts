import type Stripe from 'stripe';
import type { Wire } from '../wire.ts';

/** Returns an address of a request as replies carry it. */
export const toAddress = (input: Wire<Stripe.AddressParam>): Wire<Stripe.Address> => ({
  city: input.city ?? null,
  country: input.country ?? null,
  line1: input.line1 ?? null,
  line2: input.line2 ?? null,
  postal_code: input.postal_code ?? null,
  state: input.state ?? null,
});
