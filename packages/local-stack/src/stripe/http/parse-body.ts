import * as z from 'zod';
import { StripeError } from '../stripe-error.ts';

/** Returns the body of a request that isn't one of Stripe's. Throws an error with status 400 that names what is wrong. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const { success, data, error } = schema.safeParse(body ?? {});
  if (success) return data;
  throw new StripeError(400, { type: 'invalid_request_error', message: z.prettifyError(error) });
}
