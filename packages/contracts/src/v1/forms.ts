import * as z from 'zod';
import { recipeSchema } from '../recipe/recipe.ts';
import { recipeAliases, recipeFields, recipeFlags } from '../recipe/recipe-fields.ts';
import { newBatchSchema } from '../schemas/batch.ts';
import { estimateBodySchema } from '../schemas/estimate.ts';
import { snakeCase, spellings, type V1Option, v1Defaults, v1Options } from './fields.ts';

/** A field as the public API names it first, with all of its other names. */
type Named = [name: string, schema: z.ZodType];

const sentence = ({ says }: { says: string }) => `${says.charAt(0).toUpperCase()}${says.slice(1)}.`;
/** The default that a help text tells is the web's; the public API's own is told apart. */
const withoutDefault = (text: string) => text.replace(/ \(default [^)]*\)/, '');

const namesOf = (field: string): string[] => [
  field,
  ...Object.entries(recipeAliases).flatMap(([alias, of]) => (of === field ? [alias] : [])),
];

/** A schema that tells what its field does and what else it is called. */
function describe(field: string, schema: z.ZodType, description: string): Named {
  const name = snakeCase(field);
  const aliases = namesOf(field)
    .flatMap(spellings)
    .filter((other) => other !== name);
  const usual = Object.hasOwn(v1Defaults, field)
    ? { description: withoutDefault(description), default: v1Defaults[field as keyof typeof v1Defaults] }
    : { description };
  return [name, schema.meta({ ...usual, ...(aliases.length > 0 && { 'x-aliases': aliases }) })];
}

const recipe = Object.entries(recipeSchema.shape).map(([field, schema]) =>
  describe(field, schema.optional(), sentence(recipeFields[field as keyof typeof recipeFields])),
);
const flags = Object.entries(recipeFlags).map(([name, { field, yes, no }]) =>
  describe(name, z.boolean().optional(), `True: the same as \`${field}\` ${yes}; false: ${no}.`),
);
const yesOrNo = z.boolean().optional();
const address = z.url({ protocol: /^https$/ }).optional();
const optionSchemas: Record<V1Option, z.ZodType> = {
  imageUrl: address,
  filename: z.string().optional(),
  webhookUrl: address,
  async: yesOrNo,
  cache: yesOrNo,
  dryRun: yesOrNo,
};
const option = (name: V1Option) => describe(name, optionSchemas[name], sentence(v1Options[name]));
const options = (Object.keys(v1Options) as V1Option[]).map(option);

const shape = (...fields: Named[]) => Object.fromEntries(fields);

/** What is made of an image: every field of a recipe, as the public API takes it. */
export const v1RecipeSchema = z.strictObject(shape(...recipe, ...flags));

/** All that a processing call understands besides the image itself. */
export const v1FieldsSchema = z.strictObject(shape(...recipe, ...flags, ...options));

const base64 = z
  .base64()
  .meta({ description: 'The image as base64, with or without `data:image/...;base64,` before it.' });
const file = z.file().meta({ description: 'The image.' });

/** A processing call as a form, and as JSON: with the image, or with its address. */
export const v1ProcessFormSchema = v1FieldsSchema.extend({ image: file.optional() });
export const v1ProcessJsonSchema = v1FieldsSchema.extend({ image: base64.optional() });

/** Many images of one form, made alike. */
export const v1BulkFormSchema = z.strictObject({
  images: z.array(file).min(1).meta({ description: 'The images: the field is repeated for each.' }),
  ...shape(...recipe, ...flags, option('async')),
  accept_partial: z
    .boolean()
    .optional()
    .meta({
      description: 'Take as many as there are units for, rather than none.',
      'x-aliases': ['acceptPartial', 'accept-partial'],
    }),
});

/** The bytes of an image as the whole body. */
export const v1ImageSchema = file;
export const v1ItemFormSchema = z.strictObject({ image: file });

/** Many images described, to come one by one; and an image described, for an estimate: each with its own recipe. */
export const v1NewBatchFormSchema = newBatchSchema.extend({ recipe: v1RecipeSchema.optional() });
const { width: _width, height: _height, ...wishes } = v1RecipeSchema.shape;
export const v1EstimateFormSchema = z.strictObject({
  ...wishes,
  ...estimateBodySchema.shape,
  target: v1RecipeSchema.optional(),
});
