import * as z from 'zod';
import { engineNames, engineVariants } from '../policy/engines.ts';

/** One engine as `GET /api/engines` answers it. */
export const engineSchema = z.object({
  name: z.enum(engineNames),
  /** Which meter it counts on. */
  meter: z.enum(['ai', 'standard']),
  says: z.string(),
  /** What `auto` runs here when it enlarges. */
  isAuto: z.boolean(),
  /** Some worker can run it now; null when no worker is known. */
  available: z.boolean().nullable(),
  /** What it runs on, in which arithmetic and why; null for `standard` and where no worker has it. */
  device: z.string().nullable(),
  variant: z.enum(engineVariants).nullable(),
  reason: z.string().nullable(),
  /** Input pixels a second as measured in the last runs, or as this release was measured. */
  pixelsPerSecond: z.number().nullable(),
});
export type Engine = z.infer<typeof engineSchema>;
