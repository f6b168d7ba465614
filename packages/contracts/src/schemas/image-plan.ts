import * as z from 'zod';
import { engineNames } from '../policy/engines.ts';
import { inputFormats, outputFormats } from '../policy/image-formats.ts';
import { metadataChoices } from '../recipe/recipe-choices.ts';

const pixels = z.int().positive();

/** Facts read from an image's header. `width` and `height` are of one frame, as a viewer shows it, EXIF orientation applied. */
export const inspectionSchema = z.object({
  format: z.enum(inputFormats),
  width: pixels,
  height: pixels,
  /** EXIF orientation 1-8; 1 when absent. */
  orientation: z.int().min(1).max(8),
  /** Of the decoded image: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha. CMYK and Lab decode to RGB. */
  channels: z.int().min(1).max(4),
  /** How the file stores colour. */
  space: z.enum(['grey', 'rgb', 'cmyk', 'lab']),
  /** At most 256 different colours by its format: a drawing, not a photo. */
  isPalette: z.boolean(),
  /** Bits a sample, as stored. */
  bitDepth: z.int().positive(),
  hasAlpha: z.boolean(),
  hasProfile: z.boolean(),
  /** The decoder must hold the whole image: progressive JPEG, interlaced PNG, WebP, GIF, AVIF, BMP, turned images. */
  decodesWhole: z.boolean(),
  /** Frames of an animation that can be decoded; 1 for still images, and for APNG and TIFF, whose first image is used. */
  frames: z.int().positive(),
});
export type Inspection = z.infer<typeof inspectionSchema>;

/** Everything the engine needs to make one result from `source`; made by `imaging/plan`, stored with the job. */
export const imagePlanSchema = z.object({
  engine: z.enum(engineNames),
  source: inspectionSchema,
  /** The part of the upright source that is used, source pixels; null: all of it. */
  crop: z.object({ left: z.int().nonnegative(), top: z.int().nonnegative(), width: pixels, height: pixels }).nullable(),
  /** Output no larger than the used part on either side: decoded straight to its size, no pass of ours. */
  shrinks: z.boolean(),
  /** Network passes of x4, and the tile of one pass: `core` input pixels square plus `overlap` on each side; see `imaging/plan/choose-tile.ts`. */
  passes: z.int().nonnegative(),
  tile: z.object({ core: pixels, overlap: z.int().nonnegative(), fade: z.int().nonnegative() }).nullable(),
  /** Tiles of all passes and frames together; 0 when no network runs. */
  tiles: z.int().nonnegative(),
  output: z.object({
    /** Of one frame. */
    width: pixels,
    height: pixels,
    format: z.enum(outputFormats),
    quality: z.int().min(1).max(100),
    /** Largest file wanted; null: none. */
    targetBytes: z.int().positive().nullable(),
    bitDepth: z.union([z.literal(8), z.literal(16)]),
    frames: z.int().positive(),
    /** `#rrggbb` under transparent parts where the format has no transparency. */
    background: z.string(),
    metadata: z.enum(metadataChoices),
    gps: z.boolean(),
  }),
  estimate: z.object({ seconds: z.number(), peakMemoryBytes: z.number(), outputBytes: z.number() }),
});
export type ImagePlan = z.infer<typeof imagePlanSchema>;
