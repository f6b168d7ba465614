import * as z from 'zod';
import { engineNames, engineVariants } from '../policy/engines.ts';
import { outputFormats } from '../policy/image-formats.ts';

const pixels = z.int().positive();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** How a result came about, reported by the engine and kept with the job. */
export const receiptSchema = z.object({
  engine: z.enum(engineNames),
  /** Arithmetic of the network, and why it was chosen on this machine; null when none ran. */
  variant: z.enum(engineVariants).nullable(),
  variantReason: z.string().nullable(),
  /** SHA-256 of the network's weights file; null when none ran. */
  model: sha256.nullable(),
  device: z.string(),
  /** Versions of the product, of sharp, libvips and onnxruntime. */
  versions: z.record(z.string(), z.string()),
  source: z.object({ width: pixels, height: pixels, sizeBytes: pixels, sha256 }),
  width: pixels,
  height: pixels,
  format: z.enum(outputFormats),
  /** The quality that was used in the end; null for lossless files. */
  quality: z.int().nullable(),
  bitDepth: z.int(),
  frames: pixels,
  sizeBytes: pixels,
  sha256,
  passes: z.int().nonnegative(),
  tiles: z.int().nonnegative(),
  tile: z.object({ core: pixels, overlap: z.int().nonnegative(), fade: z.int().nonnegative() }).nullable(),
  /** Wall milliseconds by stage (decode, enlarge, resample, check, encode, thumbnail). */
  stagesMs: z.record(z.string(), z.number()),
  /** CIEDE2000 between source and result, each averaged over a coarse grid of cells. */
  colourDifference: z.object({ mean: z.number(), worst: z.number() }),
  /** Engines whose output did not pass the check before this one did. */
  retries: z.array(
    z.object({ engine: z.enum(engineNames), variant: z.enum(engineVariants).nullable(), reason: z.string() }),
  ),
  /** What the caller should know: a profile converted, an animation reduced to its first frame. */
  notes: z.array(z.string()),
  /** ThumbHash of the result (Evan Wallace), base64. */
  thumbhash: z.string(),
});
export type Receipt = z.infer<typeof receiptSchema>;
