import * as z from 'zod';
import { engineNames, engineVariants } from '../policy/engines.ts';

/** An engine in the response of `GET /api/engines`. */
export const engineSchema = z.object({
  name: z.enum(engineNames),
  meter: z.enum(['ai', 'standard']),
  says: z.string(),
  /** Whether `auto` uses this engine to upscale. */
  isAuto: z.boolean(),
  /** Whether a worker can run it now; null: no worker is known. */
  available: z.boolean().nullable(),
  /** Device and precision it runs with, and why; null for `standard` and without a worker. */
  device: z.string().nullable(),
  variant: z.enum(engineVariants).nullable(),
  reason: z.string().nullable(),
  /** Input pixels per second, measured in recent jobs or at release. */
  pixelsPerSecond: z.number().nullable(),
});
export type Engine = z.infer<typeof engineSchema>;
