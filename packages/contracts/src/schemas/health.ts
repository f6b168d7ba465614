import * as z from 'zod';
import { jobSettingsSchema } from './admin/workers.ts';
import { modelInfoSchema } from './jobs/child-messages.ts';
import { customModelInfoSchema, printProfileSchema } from './jobs/estimate.ts';

/** A worker as registered in Redis and listed by `/readyz`. `id` names its host and process. */
export const workerInfoSchema = z.object({
  id: z.string(),
  engines: z.array(z.string()),
  /**
   * Engines that are still downloading their models. Empty for workers of earlier versions, which don't send this
   * field.
   */
  installing: z.array(z.string()).default([]),
  device: z.string(),
  /** Loaded models. `pixelsPerSecond`: latest speed, in input pixels per second. */
  networks: z.array(modelInfoSchema.extend({ pixelsPerSecond: z.number().nullable() })),
  /** The operator's CMYK profiles. */
  printProfiles: z.array(printProfileSchema).default([]),
  /** Custom models by engine. Empty for workers of earlier versions, which don't send this field. */
  customModels: z.record(z.string(), customModelInfoSchema).default({}),
  slots: z.int(),
  /** Value of `WORKER_POOL`. Null for a shared worker. */
  pool: z.string().nullable().default(null),
  jail: z.enum(['full', 'user-namespace', 'none', 'off']),
});
export type WorkerInfo = z.infer<typeof workerInfoSchema>;

export const healthSchema = z.object({ status: z.literal('ok') });

/**
 * Response of `/readyz` on the operator port. The status code is 200 if `ready`, otherwise 503. `checks`: result of
 * each check, either `ok` or an error message.
 */
export const readinessSchema = z.object({
  ready: z.boolean(),
  checks: z.record(z.string(), z.string()),
  /** Settings that keep jobs from starting. Absent while PostgreSQL is unavailable. */
  jobs: jobSettingsSchema.optional(),
  workers: z.array(workerInfoSchema).optional(),
});
export type Readiness = z.infer<typeof readinessSchema>;

/** Response of `/readyz` on the public port. Omits error messages, hosts, processes, pools, models, and CMYK profiles. */
export const publicReadinessSchema = readinessSchema.extend({
  jobs: jobSettingsSchema.omit({ drainedWorkers: true }).optional(),
  workers: z.array(workerInfoSchema.omit({ id: true, pool: true, customModels: true, printProfiles: true })).optional(),
});
export type PublicReadiness = z.infer<typeof publicReadinessSchema>;
