import * as z from 'zod';

/** How events reach the webhook endpoints from now on. */
export const deliveryPlanSchema = z.strictObject({
  /** send: at once or after the delay. hold: when released. drop: never. */
  mode: z.enum(['send', 'hold', 'drop']).default('send'),
  delayMs: z.int().min(0).default(0),
  /** How often each event is delivered. */
  copies: z.int().min(1).max(10).default(1),
});

export type DeliveryPlan = z.output<typeof deliveryPlanSchema>;

export const releaseOrderSchema = z.enum(['created', 'reversed', 'shuffled']);
export type ReleaseOrder = z.output<typeof releaseOrderSchema>;
