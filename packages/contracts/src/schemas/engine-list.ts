import * as z from 'zod';
import { engineNames, engineVariants } from '../policy/engines.ts';

/** An engine in the response of `GET /api/engines`. */
const engineSchema = z.object({
  name: z.enum(engineNames).describe('Value for `engine`.'),
  meter: z.enum(['ai', 'standard']).describe('Quota that its credits are taken from.'),
  says: z.string().describe('Description of the engine.'),
  isAuto: z.boolean().describe('Whether `auto` upscales with this engine.'),
  available: z.boolean().nullable().describe('Whether a worker runs this engine. `null` if unknown.'),
  device: z.string().nullable().describe('Device that runs the model.'),
  variant: z.enum(engineVariants).nullable().describe('Precision of the model.'),
  reason: z.string().nullable().describe('Reason for the precision.'),
  pixelsPerSecond: z.number().nullable().describe('Measured speed in input pixels per second.'),
});
export type Engine = z.infer<typeof engineSchema>;
export const engineListSchema = z.array(engineSchema);
