import * as z from 'zod';
import { StripeError } from '../stripe-error.ts';

export const failureSchema = z.strictObject({
  /** Before the call runs, or after its effect is stored. */
  when: z.enum(['before', 'after']),
  /**
   * `error` replies with status 500. `hang` never replies. `reset` closes the connection. `rate_limit` replies with
   * status 429, and works only with `when: before`.
   */
  kind: z.enum(['error', 'hang', 'reset', 'rate_limit']),
  times: z.int().min(1).default(1),
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
  /** Path prefix, such as `/v1/subscriptions`. */
  path: z.string().default('/v1/'),
});

export type Failure = z.output<typeof failureSchema>;
export type FailureInput = z.input<typeof failureSchema>;

export type FailureQueue = ReturnType<typeof makeFailureQueue>;

/** Each API request takes the first failure that matches it. */
export function makeFailureQueue() {
  let failures: Failure[] = [];
  return {
    add: (input: FailureInput) => {
      failures.push(failureSchema.parse(input));
    },
    clear: () => {
      failures = [];
    },
    list: (): readonly Failure[] => failures,
    take: (request: { method: string; path: string }): Failure | undefined => {
      const failure = failures.find((one) => matchesRequest(one, request));
      if (!failure) return undefined;
      failure.times -= 1;
      failures = failures.filter(({ times }) => times > 0);
      return failure;
    },
  };
}

const matchesRequest = (failure: Failure, { method, path }: { method: string; path: string }) =>
  (!failure.method || failure.method === method) && path.startsWith(failure.path);

/** Status 500, which Stripe stores under the idempotency key. */
export const serverError = (message = 'An unknown error occurred.') =>
  new StripeError(500, { type: 'api_error', message });

export const rateLimitError = () =>
  new StripeError(429, {
    type: 'invalid_request_error',
    code: 'rate_limit',
    message: 'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
  });
