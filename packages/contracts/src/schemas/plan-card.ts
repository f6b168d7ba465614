import * as z from 'zod';
import { outputFormats } from '../policy/images/image-formats.ts';
import { meters } from '../policy/plans/meters.ts';
import { tiers } from '../policy/plans/plans.ts';

/**
 * Entitlements of a plan, as in `plans.ts`. Upload and storage sizes are in bytes, output sizes in pixels.
 * `uploadBytes.api` is null if the plan doesn't include API uploads.
 */
const entitlementsSchema = z.object({
  /** Units per period. A plan has either one meter for each kind of job, or a shared meter. */
  included: z.union([z.object({ ai: z.int(), standard: z.int() }), z.object({ shared: z.int() })]),
  /** Whether processing pauses when the quota is used up. */
  hardStop: z.boolean(),
  maxFactor: z.object({ ai: z.number(), standard: z.number() }),
  bulkFiles: z.int(),
  maxOutputPixels: z.int(),
  /** Maximum estimated processing time of a job, in seconds. */
  jobSeconds: z.int(),
  uploadBytes: z.object({ web: z.int(), api: z.int().nullable() }),
  storageBytes: z.int(),
  callsPerMinute: z.int(),
  queueWeight: z.int(),
  formats: z.union([z.literal('all'), z.array(z.enum(outputFormats)).readonly()]),
  api: z.boolean(),
  webhooks: z.enum(['none', 'feed', 'delivery']),
});

export const planCardSchema = z.object({
  key: z.enum(tiers),
  name: z.string(),
  /** Price per period, in US dollars. */
  price: z.number(),
  period: z.literal('month'),
  description: z.string(),
  features: z.array(z.string()),
  limitations: z.array(z.string()),
  /** The payment provider's ID for the monthly price. Null if the plan isn't sold monthly. */
  priceId: z.string().nullable(),
  /** Yearly price, in US dollars. Null if the plan isn't sold yearly. */
  yearly: z.object({ price: z.number(), priceId: z.string() }).nullable(),
  /**
   * The payment provider's names for payment methods, such as `card` and `paypal`. Empty if the plan isn't sold, or if
   * the payment methods are unknown.
   */
  paymentMethods: z.array(z.string()),
  /** Whether tax is added to the prices where it is due. False if the plan isn't sold. */
  addsTax: z.boolean(),
  entitlements: entitlementsSchema,
});
export type PlanCard = z.infer<typeof planCardSchema>;

/** A pack of units that is bought once and doesn't expire. Units of the plan are used before those of a pack. */
export const packCardSchema = z.object({
  key: z.string(),
  units: z.int(),
  meter: z.enum(meters),
  /** Price in US dollars. */
  price: z.number(),
});
export type PackCard = z.infer<typeof packCardSchema>;
