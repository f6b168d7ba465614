import * as z from 'zod';
import { StripeError } from '../stripe-error.ts';

/**
 * Parses the body of a request to one of the double's own endpoints. If the body isn't valid, throws an error with
 * status 400 that lists what is wrong.
 */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const { success, data, error } = schema.safeParse(body ?? {});
  if (success) return data;
  throw new StripeError(400, { type: 'invalid_request_error', message: z.prettifyError(error) });
}
