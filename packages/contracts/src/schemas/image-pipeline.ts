import * as z from 'zod';
import { aiEngines } from '../policy/images/engines.ts';
import { dpiRange, inputFormats, outputFormats, strengthRange } from '../policy/images/image-formats.ts';
import { profileNamePattern } from '../policy/images/print-profiles.ts';
import { jobEngineSchema } from '../recipe/engine-schemas.ts';
import { metadataChoices } from '../recipe/recipe-choices.ts';

const pixels = z.int().positive();

/**
 * Properties read from an image's header. `width` and `height` are the size of one frame, after applying the EXIF
 * orientation.
 */
export const inspectionSchema = z.object({
  format: z.enum(inputFormats),
  width: pixels,
  height: pixels,
  /** EXIF orientation, 1 to 8. 1 if absent. */
  orientation: z.int().min(1).max(8),
  /**
   * Channels of the decoded image: 1 for gray, 2 for gray with alpha, 3 for RGB, 4 for RGB with alpha. CMYK and Lab are
   * decoded to RGB.
   */
  channels: z.int().min(1).max(4),
  /** Color space of the file. */
  space: z.enum(['grey', 'rgb', 'cmyk', 'lab']),
  /** Whether pixels are stored as indexes into a palette of at most 256 colors. */
  isPalette: z.boolean(),
  /** Bits per sample in the file. */
  bitDepth: z.int().positive(),
  hasAlpha: z.boolean(),
  hasProfile: z.boolean(),
  /**
   * Whether the decoder needs the whole image in memory. True for progressive JPEG, interlaced PNG, WebP, GIF, AVIF,
   * BMP, and rotated images.
   */
  decodesWhole: z.boolean(),
  /**
   * Frames of an animation. 1 for still images. Also 1 for APNG and TIFF, because only their first image is processed.
   */
  frames: z.int().positive(),
  /**
   * Size of an ordinary image that takes as long to decode as this file, in pixels. Present only if it far exceeds the
   * pixels of all frames.
   */
  decodedPixels: z.number().positive().optional(),
});
export type Inspection = z.infer<typeof inspectionSchema>;

/** Size of the strips into which a band is divided, in input pixels. */
export const stripSchema = z.object({
  rows: pixels.describe('Rows of a strip.'),
  width: pixels.describe('Maximum columns of a strip.'),
  border: z.int().nonnegative().describe('Mirrored pixels on each side of the image.'),
  lag: z.int().nonnegative().describe('Rows and columns by which the output lags.'),
});

/** Facts about a custom model that plans and estimates depend on. */
export const customModelFactsSchema = z.object({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 digest of the model.'),
  sizeBytes: z.int().positive().describe('Size of the model in bytes.'),
  overlap: z.int().nonnegative().describe('Context that a tile needs on each side, in input pixels.'),
  bytesPerPixel: z.number().nonnegative().describe('Memory per input pixel of a tile, in bytes.'),
  pixelsPerSecond: z.number().positive().describe('Speed when the model was added, in input pixels per second.'),
});
export type CustomModelFacts = z.infer<typeof customModelFactsSchema>;

/** Everything the engine needs to process the image. Created by `imaging/pipeline` and stored with the job. */
export const imagePipelineSchema = z.object({
  engine: jobEngineSchema,
  /** Measured facts about the model of a custom engine. Absent for other engines. */
  custom: customModelFactsSchema.optional(),
  /**
   * How `auto` chose the engine. Absent if the request named an engine. `content`: the choice depends on the decoded
   * image. Drawings are processed with the engine in `drawings`, unless it is null.
   */
  auto: z
    .object({ code: z.enum(['content', 'not_upscaled', 'already_large']), drawings: z.enum(aiEngines).nullable() })
    .optional(),
  source: inspectionSchema,
  /** Region of the source to use, in source pixels after EXIF rotation. Null for the whole source. */
  crop: z.object({ left: z.int().nonnegative(), top: z.int().nonnegative(), width: pixels, height: pixels }).nullable(),
  /** Whether the decoder scales the image. True if no model runs and the output is no larger than the region used. */
  shrinks: z.boolean(),
  /**
   * How many 4x passes the model makes, and the tile size for a pass. A tile is a square of `core` input pixels, plus
   * `overlap` on each side. See `imaging/pipeline/choose-passes.ts`.
   */
  passes: z.int().nonnegative(),
  tile: z.object({ core: pixels, overlap: z.int().nonnegative(), fade: z.int().nonnegative() }).nullable(),
  /** Tiles in all passes and frames. 0 if no model runs. */
  tiles: z.int().nonnegative(),
  /** Strips to process instead of tiles, if the model supports them. Null if tiles are used. */
  strip: stripSchema.nullable().default(null),
  /** Strips and bands in all passes. 0 if tiles are used. */
  strips: z.int().nonnegative().default(0),
  bands: z.int().nonnegative().default(0),
  output: z.object({
    /** Size of one frame. */
    width: pixels,
    height: pixels,
    format: z.enum(outputFormats),
    quality: z.int().min(1).max(100),
    /** Maximum file size in bytes. Null if not limited. */
    targetBytes: z.int().positive().nullable(),
    bitDepth: z.union([z.literal(8), z.literal(16)]),
    frames: z.int().positive(),
    /** Film grain, as a percentage of the maximum strength. Absent if no grain is added. */
    grain: z.int().min(1).max(100).optional(),
    /** Whether the opposite border continues the image beyond each edge. Absent if it doesn't. */
    edges: z.literal('wrap').optional(),
    /** Whether alpha is a channel of data. Absent if it is transparency, or if the image has no alpha. */
    alpha: z.literal('data').optional(),
    /** Whether WebP or JPEG XL is lossless regardless of `quality`. Absent if `quality` applies. */
    lossless: z.literal(true).optional(),
    /** Let the network work at a smaller size. Absent for `faithful`, which keeps all detail. */
    detail: z.literal('crisp').optional(),
    /** Share of an AI engine's changes that is kept, as a percentage. Absent if all of them are. */
    strength: z
      .int()
      .min(strengthRange.min)
      .max(strengthRange.max - 1)
      .optional(),
    /** Whether the job folder has a mask of the areas that are resampled without AI. Absent if it has none. */
    mask: z.literal(true).optional(),
    /**
     * Deliver the source if the result would be larger. Present only if the source could be delivered as the result.
     */
    neverLarger: z.literal(true).optional(),
    /** Background color (`#rrggbb`) for transparent areas, if the format doesn't support transparency. */
    background: z.string(),
    metadata: z.enum(metadataChoices),
    gps: z.boolean(),
    /** Print resolution to write, in dots per inch. Absent if none was requested. */
    dpi: z.int().min(dpiRange.min).max(dpiRange.max).optional(),
    /** CMYK profile to convert to. Absent for RGB. The job folder has its file, unless it is `genericProfile`. */
    printProfile: z.string().regex(profileNamePattern).optional(),
    /** Whether to keep the source's print resolution. By default, it is kept unless `metadata` is `none`. */
    keepDpi: z.boolean().optional(),
  }),
  /**
   * `seconds`: at most, if every part of the image is processed at its full size. `networkSeconds`: the part of it that
   * is shorter for soft images. Absent if the image is always processed at its full size.
   */
  estimate: z.object({
    seconds: z.number(),
    networkSeconds: z.number().optional(),
    peakMemoryBytes: z.number(),
    outputBytes: z.number(),
  }),
});
export type ImagePipeline = z.infer<typeof imagePipelineSchema>;
