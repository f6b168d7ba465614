import * as z from 'zod';
import { engineNames } from '../../policy/images/engines.ts';
import { lineSchema } from '../user.ts';

/** Which jobs are not started: those of paused engines, and those that drained workers would start. */
export const jobSettingsSchema = z.object({
  pausedEngines: z.array(z.enum(engineNames)).default([]),
  /** No worker starts a job. */
  drainsAll: z.boolean().default(false),
  /** Names of workers (`WORKER_NAME`) that start no job. */
  drainedWorkers: z.array(z.string()).default([]),
});
export type JobSettings = z.output<typeof jobSettingsSchema>;

/** Whether a worker with this name starts no jobs. */
export const isDrained = ({ drainsAll, drainedWorkers }: JobSettings, worker: string): boolean =>
  drainsAll || drainedWorkers.includes(worker);

/** What `WORKER_NAME` may be. */
export const workerNamePattern = /^[\w.-]{1,100}$/;

const reason = lineSchema.max(500).optional();
export const pauseBodySchema = z.strictObject({ paused: z.boolean(), reason });
export const drainBodySchema = z.strictObject({ draining: z.boolean(), reason });
