import * as z from 'zod';
import { requestedEngines } from './engines.ts';
import { factorRange, outputFormats, qualityRange } from './picture-formats.ts';

/** What a caller asks for, in one canonical form; stored with the job and echoed in every answer. */
export const recipeSchema = z.strictObject({
  scaleFactor: z.number().min(factorRange.min).max(factorRange.max),
  format: z.enum(outputFormats),
  quality: z.int().min(qualityRange.min).max(qualityRange.max),
  engine: z.enum(requestedEngines),
});
export type Recipe = z.infer<typeof recipeSchema>;
