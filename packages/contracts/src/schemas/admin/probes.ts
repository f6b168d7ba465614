import * as z from 'zod';
import { toV1Schema } from '../../v1/to-v1-schema.ts';
import { publicJobSchema } from '../jobs/job.ts';

/** The account that probes use, with its secrets. */
export const probeAccountSchema = z.object({
  id: z.string(),
  email: z.string(),
  password: z.string(),
  /** A sandbox key. */
  apiKey: z.string(),
  /** The device cookie of its latest sign-in: attempts on known devices don't add up. */
  device: z.string().optional(),
});
export type ProbeAccount = z.infer<typeof probeAccountSchema>;

/** What probes read of a job of the public API. */
export const probeJobSchema = toV1Schema(
  publicJobSchema.pick({ id: true, status: true, downloadUrl: true, error: true }),
);
