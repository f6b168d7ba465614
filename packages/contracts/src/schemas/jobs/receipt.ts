import * as z from 'zod';
import { freeReasons } from '../../policy/free-jobs.ts';
import { autoCodes, engineVariants } from '../../policy/images/engines.ts';
import { outputFormats, strengthRange } from '../../policy/images/image-formats.ts';
import { jobEngineSchema } from '../../recipe/engine-schemas.ts';
import { detailModes } from '../../recipe/recipe-choices.ts';
import { stripSchema } from '../image-pipeline.ts';

const pixels = z.int().positive();
const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Reported by the engine and stored with the job. Older receipts don't have the optional fields. */
export const receiptSchema = z.object({
  engine: jobEngineSchema.describe('Engine that made the result.'),
  autoChoice: z
    .object({
      code: z.enum(autoCodes).describe('Code of the reason.'),
      reason: z.string().describe('The reason in words.'),
    })
    .nullable()
    .optional()
    .describe('Why `auto` chose the engine. `null` if you chose it.'),
  variant: z.enum(engineVariants).nullable().describe('Precision of the model. `null` without a model.'),
  variantReason: z.string().nullable().describe('Why the precision was chosen on this machine.'),
  model: sha256.nullable().describe("SHA-256 digest of the model's weights. `null` without a model."),
  device: z.string().describe('Device that ran the model.'),
  versions: z.record(z.string(), z.string()).describe('Versions of Uprez and of its libraries.'),
  source: z
    .object({
      width: pixels.describe('Width in pixels.'),
      height: pixels.describe('Height in pixels.'),
      sizeBytes: pixels.describe('File size in bytes.'),
      sha256: sha256.describe('SHA-256 digest of the file.'),
    })
    .describe('The image you sent.'),
  width: pixels.describe('Width of the result in pixels.'),
  height: pixels.describe('Height of the result in pixels.'),
  format: z.enum(outputFormats).describe('File format of the result.'),
  quality: z.int().nullable().describe('Compression quality of the result. `null` for lossless formats.'),
  bitDepth: z.int().describe('Bits per sample of the result.'),
  frames: pixels.describe('Number of frames of the result.'),
  sizeBytes: pixels.describe('File size of the result in bytes.'),
  sha256: sha256.describe('SHA-256 digest of the result.'),
  passes: count.describe('How often the model was applied to the image.'),
  tiles: count.describe('Number of tiles that the model processed.'),
  tile: z
    .object({
      core: pixels.describe('Side without the overlap in pixels.'),
      overlap: count.describe('Overlap on each side in pixels.'),
      fade: count.describe('Blended pixels on each side of a border.'),
    })
    .nullable()
    .describe('Size of a tile in input pixels. `null` without tiles.'),
  strips: count.default(0).describe('Number of strips that the model processed instead of tiles.'),
  bands: count.default(0).describe('Number of bands of columns that were divided into strips.'),
  strip: stripSchema.nullable().default(null).describe('Size of a strip in input pixels. `null` without strips.'),
  detail: z
    .enum(detailModes)
    .nullable()
    .optional()
    .describe(
      'Look that the model worked for: `faithful` keeps all detail, `crisp` may lose some. `null` without a model.',
    ),
  strength: z
    .int()
    .min(strengthRange.min)
    .max(strengthRange.max)
    .nullable()
    .optional()
    .describe(
      'Percent of the model that was kept. The rest is the image resampled without a model. `null` without a model.',
    ),
  maskedShare: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Share of the result that the mask kept from AI. Absent without a mask.'),
  workingScale: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe(
      'Size at which the model worked, as a share of your image: 1 is its full size. Average over the image. Absent if it was not measured.',
    ),
  workingShares: z
    .array(
      z.object({
        scale: z.number().positive().max(1).describe('Size at which this part was processed.'),
        share: z.number().min(0).max(1).describe('Share of the image.'),
      }),
    )
    .optional()
    .describe('Share of the image that was processed at each size. Soft parts are processed at a smaller size.'),
  detailMegapixels: z
    .number()
    .positive()
    .optional()
    .describe('Megapixels that would hold all detail of your image. Absent if it was not measured.'),
  stagesMs: z.record(z.string(), z.number()).describe('Time of each stage in milliseconds.'),
  colorDifference: z
    .object({
      mean: z.number().describe('Average difference.'),
      worst: z.number().describe('Largest difference.'),
    })
    .describe('CIEDE2000 color difference between the image you sent and the result, on a coarse grid.'),
  fidelity: z
    .object({
      score: z.number().min(0).max(100).describe('Agreement from 0 to 100.'),
      structure: z.number().min(-1).max(1).describe('SSIM of luma, at most 1.'),
      color: z.number().nonnegative().describe('Average CIEDE2000 color difference on a coarse grid.'),
    })
    .optional()
    .describe('Agreement of the result with the image you sent, at the smaller of both sizes, before compression.'),
  grain: z
    .object({
      amount: z.int().describe('Percent of the strongest grain.'),
      seed: count.describe('Seed of the noise.'),
    })
    .nullable()
    .optional()
    .describe('Film grain that was added. `null` without grain.'),
  edges: z.literal('wrap').optional().describe('Present if the opposite border continued the image beyond its edges.'),
  alpha: z
    .literal('data')
    .optional()
    .describe('Present if alpha was processed as a channel of data instead of transparency.'),
  print: z
    .object({
      profile: z.string().describe('Name of the profile.'),
      description: z.string().describe('Description in the profile.'),
      maxInk: z.number().nonnegative().describe('Largest total ink of a pixel.'),
      highInk: z.number().nonnegative().describe('Total ink that 1% of the pixels exceed.'),
    })
    .optional()
    .describe(
      'CMYK result. Total ink is the sum of cyan, magenta, yellow, and black in percent, at most 400, before compression. Absent for RGB.',
    ),
  retries: z
    .array(
      z.object({
        engine: jobEngineSchema.describe('Engine that failed.'),
        variant: z.enum(engineVariants).nullable().describe('Precision of its model. `null` without a model.'),
        reason: z.string().describe('What failed.'),
      }),
    )
    .describe('Attempts that failed the check of the result before this one passed it.'),
  freeReason: z
    .enum(freeReasons)
    .optional()
    .describe(
      'Why the job costs nothing although it is completed: `original`: the result is your image, because a new file would be larger; `repeated`: the same image was processed with the same options before. Absent for other jobs.',
    ),
  notes: z.array(z.string()).describe('Notes on the result, such as a converted color profile.'),
  thumbhash: z.string().describe('ThumbHash of the result, base64.'),
});
export type Receipt = z.infer<typeof receiptSchema>;
