import * as z from 'zod';
import { engineNames } from './engines.ts';
import { inputFormats, outputFormats } from './picture-formats.ts';

const pixels = z.int().positive();

/** Facts read from a picture's header. `width` and `height` are as a viewer shows it, EXIF orientation applied. */
export const inspectionSchema = z.object({
  format: z.enum(inputFormats),
  width: pixels,
  height: pixels,
  /** EXIF orientation 1-8; 1 when absent. */
  orientation: z.int().min(1).max(8),
  channels: z.int().min(1).max(5),
  /** Bits a sample. */
  bitDepth: z.int().positive(),
  hasAlpha: z.boolean(),
  hasProfile: z.boolean(),
  /** The decoder must hold the whole picture: progressive JPEG, interlaced PNG, WebP. */
  decodesWhole: z.boolean(),
  frames: z.int().positive(),
});
export type Inspection = z.infer<typeof inspectionSchema>;

/** Everything the engine needs to make one result from `source`; made by `imaging/plan`, stored with the job. */
export const imagePlanSchema = z.object({
  engine: z.enum(engineNames),
  source: inspectionSchema,
  /** Network passes of x4, and the tile of one pass: `core` input pixels square plus `overlap` on each side. */
  passes: z.int().nonnegative(),
  tile: z.object({ core: pixels, overlap: z.int().nonnegative() }).nullable(),
  /** Tiles of all passes together; 0 when no network runs. */
  tiles: z.int().nonnegative(),
  output: z.object({
    width: pixels,
    height: pixels,
    format: z.enum(outputFormats),
    quality: z.int().min(1).max(100),
  }),
  estimate: z.object({ seconds: z.number(), peakMemoryBytes: z.number(), outputBytes: z.number() }),
});
export type ImagePlan = z.infer<typeof imagePlanSchema>;

/** What an engine reports of a finished run. `stagesMs`: wall milliseconds by stage (decode, enlarge, encode, ...). */
export const engineResultSchema = z.object({
  width: pixels,
  height: pixels,
  sizeBytes: z.int().positive(),
  engine: z.enum(engineNames),
  device: z.string(),
  tiles: z.int().nonnegative(),
  stagesMs: z.record(z.string(), z.number()),
});
export type EngineResult = z.infer<typeof engineResultSchema>;
