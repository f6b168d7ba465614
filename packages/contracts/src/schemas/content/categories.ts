import * as z from 'zod';
import { articleLimits, newArticleKinds } from '../../policy/articles.ts';
import { storedTextSchema } from '../stored-text.ts';
import { requiredLineSchema, toName } from '../user.ts';
import { slugSchema } from './articles.ts';

const { categoryNameLength, categoryDescriptionLength } = articleLimits;

/**
 * Kind of the categories to list: blog categories, categories of help center questions, or departments of positions.
 */
export const categoriesQuerySchema = z.object({ kind: z.enum(newArticleKinds).default('post') });

/** A category. `posts`: number of its public articles. */
export const categorySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  posts: z.int(),
  createdAt: z.iso.datetime(),
});
export type Category = z.infer<typeof categorySchema>;

const nameSchema = toName(requiredLineSchema('Name is required')).max(
  categoryNameLength,
  `Name can't be longer than ${categoryNameLength} characters.`,
);
const descriptionSchema = storedTextSchema.max(
  categoryDescriptionLength,
  `Description can't be longer than ${categoryDescriptionLength} characters.`,
);

/** An empty slug is replaced by one created from the name. */
export const categoryBodySchema = z.strictObject({
  kind: z.enum(newArticleKinds).default('post'),
  name: nameSchema,
  description: descriptionSchema.default(''),
  slug: slugSchema.default(''),
});
export type CategoryInput = z.input<typeof categoryBodySchema>;
export type NewCategory = z.output<typeof categoryBodySchema>;

/** Absent fields keep their value. */
export const categoryChangesSchema = z.strictObject({
  name: nameSchema.optional(),
  description: descriptionSchema.optional(),
  slug: slugSchema.optional(),
});
export type CategoryChanges = z.output<typeof categoryChangesSchema>;
