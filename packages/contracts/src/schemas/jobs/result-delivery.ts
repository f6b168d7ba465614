import * as z from 'zod';

/** Reasons why a delivery failed. `expired`: the result was deleted before it was delivered. */
export const resultDeliveryErrors = [
  'dns',
  'timeout',
  'tls',
  'unreachable',
  'broken',
  'not_allowed',
  'redirect',
  'bad_status',
  'expired',
  'internal',
] as const;
export type ResultDeliveryError = (typeof resultDeliveryErrors)[number];

/** Delivery of a result. `waiting` until there is a result, `cancelled` if there is none. */
export const resultDeliverySchema = z.object({
  status: z
    .enum(['waiting', 'pending', 'delivered', 'failed', 'cancelled'])
    .describe(
      '`waiting` for the result, `pending` until an attempt succeeds, then `delivered` or `failed`. `cancelled` if the item has no result.',
    ),
  host: z.string().describe('Host of the target URL. The rest of the URL is secret.'),
  attempts: z.int().describe('Number of attempts so far.'),
  error: z.enum(resultDeliveryErrors).nullable().describe('Reason why the last attempt failed.'),
  statusCode: z.int().nullable().describe('HTTP status of the last response.'),
  nextAttemptAt: z.iso.datetime().nullable().describe('Time of the next attempt.'),
  deliveredAt: z.iso.datetime().nullable().describe('Time at which the result was delivered.'),
});

/** Seconds between delivery attempts, 2 hours in total, because signed URLs rarely live longer. */
export const resultRetryDelaysS: readonly number[] = [10, 50, 240, 1_500, 5_400];
