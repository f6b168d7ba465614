import * as z from 'zod';
import { toV1Schema } from '../../v1/to-v1-schema.ts';
import { publicJobSchema } from '../jobs/job.ts';

/** Account that probes use, with its secrets. */
export const probeAccountSchema = z.object({
  id: z.string(),
  email: z.string(),
  password: z.string(),
  /** Secret of a sandbox key. */
  apiKey: z.string(),
  /**
   * Device cookie of the latest sign-in, because successful sign-ins reset the attempt counter only on known devices.
   */
  device: z.string().optional(),
});
export type ProbeAccount = z.infer<typeof probeAccountSchema>;

/** Fields that probes read from a job of the public API. */
export const probeJobSchema = toV1Schema(
  publicJobSchema.pick({ id: true, status: true, downloadUrl: true, error: true }),
);
