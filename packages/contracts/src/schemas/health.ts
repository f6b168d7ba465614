import * as z from 'zod';
import { networkInfoSchema } from './child-messages.ts';

/** What a worker tells of itself in Redis, and what `/readyz` of the gateway lists. */
export const workerInfoSchema = z.object({
  id: z.string(),
  engines: z.array(z.string()),
  device: z.string(),
  /** Its networks: how each runs there, and how fast it ran last, input pixels a second. */
  networks: z.array(networkInfoSchema.extend({ pixelsPerSecond: z.number().nullable() })),
  slots: z.int(),
  jail: z.enum(['full', 'user-namespace', 'none', 'off']),
});
export type WorkerInfo = z.infer<typeof workerInfoSchema>;

export const healthSchema = z.object({ status: z.literal('ok') });

/** `/readyz`: 200 when `ready`, else 503 with the same body. `checks`: name -> `ok` or what is wrong. */
export const readinessSchema = z.object({
  ready: z.boolean(),
  checks: z.record(z.string(), z.string()),
  workers: z.array(workerInfoSchema).optional(),
});
export type Readiness = z.infer<typeof readinessSchema>;
