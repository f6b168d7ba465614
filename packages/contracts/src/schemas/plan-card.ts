import * as z from 'zod';
import { outputFormats } from '../policy/images/image-formats.ts';
import { meters } from '../policy/plans/meters.ts';
import { tiers } from '../policy/plans/plans.ts';

/** The columns of `plans.ts`: sizes in bytes, outputs in pixels. `api: null`: no API uploads. */
const entitlementsSchema = z.object({
  /** Units per period: one meter per kind of job, or a shared one. */
  included: z.union([z.object({ ai: z.int(), standard: z.int() }), z.object({ shared: z.int() })]),
  /** Whether processing pauses when the quota is used up. */
  hardStop: z.boolean(),
  maxFactor: z.object({ ai: z.number(), standard: z.number() }),
  bulkFiles: z.int(),
  maxOutputPixels: z.int(),
  /** Longest estimate of a job, seconds. */
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
  /** US dollars per period. */
  price: z.number(),
  period: z.literal('month'),
  description: z.string(),
  features: z.array(z.string()),
  limitations: z.array(z.string()),
  /** Price ID of the payment provider; null: not for sale. */
  priceId: z.string().nullable(),
  /** Price of a year, in US dollars; null: sold by the month only. */
  yearly: z.object({ price: z.number(), priceId: z.string() }).nullable(),
  /** Types of payment methods of the payment provider, such as `card` and `paypal`. Empty: not for sale, or not known. */
  paymentMethods: z.array(z.string()),
  /** Whether tax is added to the prices where it applies. False: not, or not for sale. */
  addsTax: z.boolean(),
  entitlements: entitlementsSchema,
});
export type PlanCard = z.infer<typeof planCardSchema>;

/** Units that are bought once and don't expire. They are used after the plan's. */
export const packCardSchema = z.object({
  key: z.string(),
  units: z.int(),
  meter: z.enum(meters),
  /** US dollars. */
  price: z.number(),
});
export type PackCard = z.infer<typeof packCardSchema>;
