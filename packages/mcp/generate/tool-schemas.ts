import { fileExtensions } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { recipeFields } from '@uprez/contracts/recipe/recipe-fields';
import { dryRunSchema, estimateBodySchema, estimateSchema } from '@uprez/contracts/schemas/jobs/estimate';
import { publicJobSchema } from '@uprez/contracts/schemas/jobs/job';
import { toSnakeCase } from '@uprez/contracts/v1/fields';
import { v1ProcessJsonSchema, v1RecipeSchema } from '@uprez/contracts/v1/forms';
import { v1ResponseHeaders } from '@uprez/contracts/v1/headers';
import { v1Schemas } from '@uprez/contracts/v1/schemas';
import { toV1Schema } from '@uprez/contracts/v1/to-v1-schema';
import * as z from 'zod';
import type { ToolName } from './tool-texts.ts';

/** Schemas of a tool. `local`: arguments that it has only where it can access files. */
type ToolSchemas = { input: z.ZodObject; output: z.ZodType; local?: z.ZodRawShape };

const recipe = v1RecipeSchema.shape;
const pick = (...names: (keyof typeof recipe)[]): z.ZodRawShape =>
  Object.fromEntries(names.map((name) => [name, recipe[name] as z.ZodType]));
const fileOptions = pick(
  'format',
  'quality',
  'target_bytes',
  'background',
  'metadata',
  'gps',
  'dpi',
  'keep_dpi',
  'print_profile',
  'retention',
);
const sent = v1ProcessJsonSchema.shape as z.ZodRawShape as Record<'image' | 'image_url' | 'filename', z.ZodType>;
const imageSource = {
  image_url: sent.image_url.describe('An https URL of the image. Send the image in one way only.'),
  image: sent.image,
  filename: sent.filename,
};

const waiting = {
  wait_seconds: z
    .int()
    .min(0)
    .max(limits.maxWaitSeconds)
    .default(limits.waitSeconds)
    .describe('Seconds to wait for the result.'),
  include_image: z
    .boolean()
    .default(true)
    .describe(
      `Return the result as an image that you can see, if it is a JPEG, PNG, WebP, or GIF of up to ${limits.mcpImageBytes / 1_000} kB. Larger results are links.`,
    ),
};
const outputPath = z
  .string()
  .describe(
    `Path of a new file for the result, inside an allowed folder. Its extension sets the format: ${Object.values(fileExtensions).join(', ')}.`,
  );
const local = {
  image_path: z.string().optional().describe('Path of the image on this computer, inside an allowed folder.'),
  output_path: outputPath.optional(),
};
const job_id = publicJobSchema.shape.id;

const charged = {
  credits_charged: z.int().optional().describe(v1ResponseHeaders['X-Credits-Charged'].description),
  credits_remaining: z.int().optional().describe(v1ResponseHeaders['X-Credits-Remaining'].description),
};
const job = z.object({
  ...(v1Schemas.Job as unknown as z.ZodObject).shape,
  ...charged,
  saved_to: z.string().optional().describe('Path of the file that the result was written to.'),
});

const shapeOf = (schema: z.ZodType) => (toV1Schema(schema) as unknown as z.ZodObject).partial().shape;
const required = (schema: z.ZodObject) =>
  toV1Schema(schema.pick({ width: true, height: true, units: true, meter: true }));
/** What both kinds of estimates have, and what one of them has. */
const estimate = z.object({
  ...shapeOf(dryRunSchema),
  ...shapeOf(estimateSchema),
  ...(required(estimateSchema) as unknown as z.ZodObject).shape,
  credits_remaining: charged.credits_remaining,
});
/** Properties of an image that isn't sent. */
const { width, height, target: _, ...facts } = estimateBodySchema.shape;
const imageFacts = Object.fromEntries(Object.entries(facts).map(([name, schema]) => [toSnakeCase(name), schema]));

const processing = (options: z.ZodRawShape): ToolSchemas => ({
  input: z.strictObject({ ...imageSource, ...options, ...waiting }),
  output: job,
  local,
});

const lookNames = ['engine', 'detail', 'strength', 'grain', 'edges', 'alpha'] as const;

/** Input and output of each tool, composed of the schemas of the public API. */
export const toolSchemas: Record<ToolName, ToolSchemas> = {
  upscale_image: processing({
    ...pick('scale_factor', ...lookNames),
    ...fileOptions,
  }),
  resize_image: processing({
    ...pick('width', 'height', 'fit', 'long_side', 'short_side', 'megapixels', 'scale_factor', ...lookNames),
    ...fileOptions,
  }),
  convert_image: processing({
    ...pick('never_larger'),
    ...fileOptions,
    format: ((recipe.format as z.ZodOptional).unwrap() as z.ZodType).describe(`${recipeFields.format.description}.`),
  }),
  estimate: {
    input: z.strictObject({
      ...imageSource,
      width: width.optional(),
      height: height.optional(),
      ...imageFacts,
      target: z
        .strictObject(pick('width', 'height', 'fit'))
        .optional()
        .describe('Size of the result in pixels, as `width` and `height` with `fit`.'),
      ...pick('scale_factor', 'long_side', 'short_side', 'megapixels', ...lookNames),
      ...fileOptions,
    }),
    output: estimate,
    local: { image_path: local.image_path },
  },
  get_job: { input: z.strictObject({ job_id, ...waiting }), output: job },
  get_account: { input: z.strictObject({}), output: v1Schemas.Account },
  save_result: { input: z.strictObject({ job_id, output_path: outputPath }), output: job },
};
