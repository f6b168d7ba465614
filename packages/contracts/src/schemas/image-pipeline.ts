import * as z from 'zod';
import { aiEngines, engineNames } from '../policy/images/engines.ts';
import { dpiRange, inputFormats, outputFormats } from '../policy/images/image-formats.ts';
import { metadataChoices } from '../recipe/recipe-choices.ts';

const pixels = z.int().positive();

/** Facts read from an image's header. `width` and `height` are the size of one frame after EXIF orientation. */
export const inspectionSchema = z.object({
  format: z.enum(inputFormats),
  width: pixels,
  height: pixels,
  /** EXIF orientation 1-8; 1 when absent. */
  orientation: z.int().min(1).max(8),
  /** Channels of the decoded image: 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha. CMYK and Lab decode to RGB. */
  channels: z.int().min(1).max(4),
  /** Color space of the file. */
  space: z.enum(['grey', 'rgb', 'cmyk', 'lab']),
  /** Whether the colors are indexed, at most 256. */
  isPalette: z.boolean(),
  /** Bits per sample in the file. */
  bitDepth: z.int().positive(),
  hasAlpha: z.boolean(),
  hasProfile: z.boolean(),
  /**
   * Whether the decoder needs the whole image in memory: progressive JPEG, interlaced PNG, WebP, GIF, AVIF, BMP,
   * rotated images.
   */
  decodesWhole: z.boolean(),
  /** Frames of an animation. 1 for still images, and for APNG and TIFF, of which only the first image is processed. */
  frames: z.int().positive(),
  /** Pixels of an ordinary image that takes as long to decode. Present only if well above the pixels of all frames. */
  decodedPixels: z.number().positive().optional(),
});
export type Inspection = z.infer<typeof inspectionSchema>;

/** A strip of a band, in input pixels. */
export const stripSchema = z.object({
  rows: pixels.describe('Rows of a strip.'),
  width: pixels.describe('Maximum columns of a strip.'),
  border: z.int().nonnegative().describe('Mirrored pixels on each side of the image.'),
  lag: z.int().nonnegative().describe('Rows and columns by which the output lags.'),
});

/** Everything the engine needs to process `source`. Created by `imaging/pipeline` and stored with the job. */
export const imagePipelineSchema = z.object({
  engine: z.enum(engineNames),
  /**
   * How `auto` chose the engine. Absent if the request named the engine. `content`: the engine decides after decoding
   * the image, and runs `drawings` for drawings unless that is null.
   */
  auto: z
    .object({ code: z.enum(['content', 'not_upscaled', 'already_large']), drawings: z.enum(aiEngines).nullable() })
    .optional(),
  source: inspectionSchema,
  /** Region of the upright source to use, in source pixels. Null for the whole source. */
  crop: z.object({ left: z.int().nonnegative(), top: z.int().nonnegative(), width: pixels, height: pixels }).nullable(),
  /** Whether the decoder does the scaling, because no model runs and the output is no larger than the used region. */
  shrinks: z.boolean(),
  /**
   * Number of 4x passes of the model, and the tile of one pass: `core` input pixels square plus `overlap` per side. See
   * `imaging/pipeline/choose-passes.ts`.
   */
  passes: z.int().nonnegative(),
  tile: z.object({ core: pixels, overlap: z.int().nonnegative(), fade: z.int().nonnegative() }).nullable(),
  /** Number of tiles in all passes and frames. 0 without a model. */
  tiles: z.int().nonnegative(),
  /** Strips to run instead of tiles, if the model supports strips. Null for tiles. */
  strip: stripSchema.nullable().default(null),
  /** Number of strips and bands in all passes. 0 for tiles. */
  strips: z.int().nonnegative().default(0),
  bands: z.int().nonnegative().default(0),
  output: z.object({
    /** Size of one frame. */
    width: pixels,
    height: pixels,
    format: z.enum(outputFormats),
    quality: z.int().min(1).max(100),
    /** Maximum file size in bytes. Null for no maximum. */
    targetBytes: z.int().positive().nullable(),
    bitDepth: z.union([z.literal(8), z.literal(16)]),
    frames: z.int().positive(),
    /** Film grain in percent of the maximum strength. Absent for none. */
    grain: z.int().min(1).max(100).optional(),
    /** Delivers the source instead of a larger file. Present only if the source could be the result. */
    neverLarger: z.literal(true).optional(),
    /** Background (`#rrggbb`) of transparent areas if the format has no transparency. */
    background: z.string(),
    metadata: z.enum(metadataChoices),
    gps: z.boolean(),
    /** Print resolution to write, in dots per inch. Absent for none. */
    dpi: z.int().min(dpiRange.min).max(dpiRange.max).optional(),
    /** Whether to keep the print resolution of the source. By default, it is kept unless `metadata` is `none`. */
    keepDpi: z.boolean().optional(),
  }),
  estimate: z.object({ seconds: z.number(), peakMemoryBytes: z.number(), outputBytes: z.number() }),
});
export type ImagePipeline = z.infer<typeof imagePipelineSchema>;
