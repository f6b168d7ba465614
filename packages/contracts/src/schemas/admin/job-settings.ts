import * as z from 'zod';
import { engineNames } from '../../policy/images/engines.ts';
import { lineSchema } from '../user.ts';

/** Settings that keep jobs from starting: paused engines and drained workers. */
export const jobSettingsSchema = z.object({
  pausedEngines: z.array(z.enum(engineNames)).default([]),
  /** Whether no worker starts jobs. */
  drainsAll: z.boolean().default(false),
  /** Names of workers (`WORKER_NAME`) that don't start jobs. */
  drainedWorkers: z.array(z.string()).default([]),
});
export type JobSettings = z.output<typeof jobSettingsSchema>;

/** Whether a worker with this name doesn't start jobs. */
export const isDrained = ({ drainsAll, drainedWorkers }: JobSettings, worker: string): boolean =>
  drainsAll || drainedWorkers.includes(worker);

/** Allowed format of `WORKER_NAME`. */
export const workerNamePattern = /^[\w.-]{1,100}$/;

const reason = lineSchema.max(500).optional();
export const pauseBodySchema = z.strictObject({ paused: z.boolean(), reason });
export const drainBodySchema = z.strictObject({ draining: z.boolean(), reason });
