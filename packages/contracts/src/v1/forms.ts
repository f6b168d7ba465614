import * as z from 'zod';
import { maskFacts } from '../recipe/mask.ts';
import { recipeSchema } from '../recipe/recipe.ts';
import { recipeAliases, recipeFields, recipeFlags } from '../recipe/recipe-fields.ts';
import { newBatchSchema } from '../schemas/jobs/batch.ts';
import { estimateBodySchema } from '../schemas/jobs/estimate.ts';
import { listSpellings, toSnakeCaseName, type V1Option, v1Defaults, v1Options } from './fields.ts';

/** Snake_case name of a field, and its schema. The schema lists the field's aliases. */
type NamedSchema = [name: string, schema: z.ZodType];

const toSentence = ({ description }: { description: string }) => `${description}.`;

const namesOf = (field: string): string[] => [
  field,
  ...Object.entries(recipeAliases).flatMap(([alias, of]) => (of === field ? [alias] : [])),
];

function describeField(field: string, schema: z.ZodType, description: string): NamedSchema {
  const name = toSnakeCaseName(field);
  const aliases = namesOf(field)
    .flatMap(listSpellings)
    .filter((other) => other !== name);
  const fallback = Object.hasOwn(v1Defaults, field) && { default: v1Defaults[field as keyof typeof v1Defaults] };
  return [name, schema.meta({ description, ...fallback, ...(aliases.length > 0 && { 'x-aliases': aliases }) })];
}

const recipeEntries = Object.entries(recipeSchema.shape).map(([field, schema]) =>
  describeField(field, schema.optional(), toSentence(recipeFields[field as keyof typeof recipeFields])),
);
const flagEntries = Object.entries(recipeFlags).map(([name, { field, yes, no }]) =>
  describeField(name, z.boolean().optional(), `\`true\` sets \`${field}\` to \`${yes}\`, \`false\` to \`${no}\`.`),
);
const flag = z.boolean().optional();
const httpsUrl = z.url({ protocol: /^https$/ }).optional();
const optionSchemas: Record<V1Option, z.ZodType> = {
  mask: z.base64().optional(),
  imageUrl: httpsUrl,
  filename: z.string().optional(),
  webhookUrl: httpsUrl,
  async: flag,
  cache: flag,
  dryRun: flag,
};
const makeOptionEntry = (name: V1Option) => describeField(name, optionSchemas[name], toSentence(v1Options[name]));
const optionEntries = (Object.keys(v1Options) as V1Option[]).map(makeOptionEntry);

const makeShape = (...fields: NamedSchema[]) => Object.fromEntries(fields);

export const v1RecipeSchema = z.strictObject(makeShape(...recipeEntries, ...flagEntries));

/** All fields of a processing request, except the image. */
export const v1FieldsSchema = z.strictObject(makeShape(...recipeEntries, ...flagEntries, ...optionEntries));

const base64 = z
  .base64()
  .meta({ description: 'The image as base64, optionally with a `data:image/...;base64,` prefix.' });
const file = z.file().meta({ description: 'The image file.' });

export const v1ProcessFormSchema = v1FieldsSchema.extend({
  image: file.optional(),
  mask: z
    .file()
    .optional()
    .meta({ description: toSentence(maskFacts) }),
});
export const v1ProcessJsonSchema = v1FieldsSchema.extend({ image: base64.optional() });

export const v1BulkFormSchema = z.strictObject({
  images: z.array(file).min(1).meta({ description: 'The image files. Repeat the field for each file.' }),
  ...makeShape(...recipeEntries, ...flagEntries, makeOptionEntry('async')),
  accept_partial: z
    .boolean()
    .optional()
    .meta({
      description: 'Process as many files as there are credits left, instead of rejecting the batch.',
      'x-aliases': ['acceptPartial', 'accept-partial'],
    }),
});

/** Request body that consists of the image only. */
export const v1ImageSchema = file;
export const v1ItemFormSchema = z.strictObject({ image: file });

/** Bodies of requests that create a batch to upload files to later, or that request an estimate. */
export const v1NewBatchFormSchema = newBatchSchema.extend({
  recipe: v1RecipeSchema.optional().describe('Options that apply to all items.'),
});
const { width: _width, height: _height, ...recipeShape } = v1RecipeSchema.shape;
export const v1EstimateFormSchema = z.strictObject({
  ...recipeShape,
  ...estimateBodySchema.shape,
  target: v1RecipeSchema.optional().describe('Size of the result, as `width`, `height`, and `fit`.'),
});
