import * as z from 'zod';
import { autoCodes } from '../policy/auto-choice.ts';
import { engineNames, engineVariants } from '../policy/engines.ts';
import { outputFormats } from '../policy/image-formats.ts';
import { stripSchema } from './image-plan.ts';

const pixels = z.int().positive();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** How a result was produced, reported by the engine and stored with the job. */
export const receiptSchema = z.object({
  engine: z.enum(engineNames),
  /** Why `auto` chose the engine, as a code and a sentence; null for a requested one. Absent in receipts of older versions. */
  autoChoice: z
    .object({ code: z.enum(autoCodes), reason: z.string() })
    .nullable()
    .optional(),
  /** Precision of the model, and why it was chosen on this machine; null without a model. */
  variant: z.enum(engineVariants).nullable(),
  variantReason: z.string().nullable(),
  /** SHA-256 of the model's weights; null without a model. */
  model: sha256.nullable(),
  device: z.string(),
  /** Versions of the product, sharp, libvips, and onnxruntime. */
  versions: z.record(z.string(), z.string()),
  source: z.object({ width: pixels, height: pixels, sizeBytes: pixels, sha256 }),
  width: pixels,
  height: pixels,
  format: z.enum(outputFormats),
  /** The final quality; null for lossless formats. */
  quality: z.int().nullable(),
  bitDepth: z.int(),
  frames: pixels,
  sizeBytes: pixels,
  sha256,
  passes: z.int().nonnegative(),
  tiles: z.int().nonnegative(),
  tile: z.object({ core: pixels, overlap: z.int().nonnegative(), fade: z.int().nonnegative() }).nullable(),
  /** Strips that were run instead of tiles, and bands of columns; 0 and null for tiles and in older receipts. */
  strips: z.int().nonnegative().default(0),
  bands: z.int().nonnegative().default(0),
  strip: stripSchema.nullable().default(null),
  /** Wall time by stage (decode, enlarge, resample, check, encode, thumbnail), milliseconds. */
  stagesMs: z.record(z.string(), z.number()),
  /** CIEDE2000 between source and result, averaged over a coarse grid. */
  colorDifference: z.object({ mean: z.number(), worst: z.number() }),
  /**
   * Agreement of the result with the source at the smaller of both sizes, before compression. `score`: 0-100. `structure`: SSIM
   * of luma, at most 1. `color`: CIEDE2000, averaged over a coarse grid. Receipts of older versions have none.
   */
  fidelity: z
    .object({
      score: z.number().min(0).max(100),
      structure: z.number().min(-1).max(1),
      color: z.number().nonnegative(),
    })
    .optional(),
  /** Film grain that was added: percent of the strongest, and the seed of its noise; null: none. Absent in receipts of older versions. */
  grain: z.object({ amount: z.int(), seed: z.int().nonnegative() }).nullable().optional(),
  /** Engines that failed the output check before this one passed. */
  retries: z.array(
    z.object({ engine: z.enum(engineNames), variant: z.enum(engineVariants).nullable(), reason: z.string() }),
  ),
  /** Notes for the caller, such as a converted color profile. */
  notes: z.array(z.string()),
  /** ThumbHash of the result (Evan Wallace), base64. */
  thumbhash: z.string(),
});
export type Receipt = z.infer<typeof receiptSchema>;
