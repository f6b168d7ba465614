import * as z from 'zod';
import {
  articleKinds,
  articleLimits,
  articleStatuses,
  creatableArticleKinds,
  revisionReasons,
} from '../../policy/articles.ts';
import { limits } from '../../policy/limits.ts';
import { makeExportFields, makeFilterFields, tablePageFields } from '../admin/table.ts';
import { pageLimitSchema } from '../page.ts';
import { storedTextSchema } from '../stored-text.ts';
import { lineSchema, requiredLineSchema, toNameSchema } from '../user.ts';

const { titleLength, slugLength, excerptLength, contentBytes, seoTitleLength, seoDescriptionLength } = articleLimits;
const countBytes = (text: string) => new TextEncoder().encode(text).length;

export const titleSchema = toNameSchema(lineSchema).max(
  titleLength,
  `Title can't be longer than ${titleLength} characters.`,
);
/** Slug of an article. If empty, the slug is created from the title. */
export const slugSchema = z
  .string()
  .trim()
  .max(slugLength, `Slug can't be longer than ${slugLength} characters.`)
  .regex(/^([a-z0-9]+(-[a-z0-9]+)*)?$/, 'Use lowercase letters, digits, and single hyphens.');
export const excerptSchema = storedTextSchema.max(
  excerptLength,
  `Excerpt can't be longer than ${excerptLength} characters.`,
);
export const contentSchema = storedTextSchema.refine(
  (text) => countBytes(text) <= contentBytes,
  `Content can't be larger than ${contentBytes / 1_000} kB.`,
);
/** Title and description for search engines and shared links. If empty, the article's title and excerpt are used. */
export const articleSeoSchema = z.strictObject({
  title: lineSchema.max(seoTitleLength, `SEO title can't be longer than ${seoTitleLength} characters.`),
  description: lineSchema.max(
    seoDescriptionLength,
    `SEO description can't be longer than ${seoDescriptionLength} characters.`,
  ),
});
export const categoryIdsSchema = z.array(z.uuid()).max(articleLimits.categories);

/** When an article was or will be published. Years outside the range are typos, and some of them can't be stored. */
export const publicTimeSchema = z.iso.datetime({ offset: true }).refine((time) => {
  const year = new Date(time).getUTCFullYear();
  return year >= 2000 && year <= 2100;
}, 'Choose a time between the years 2000 and 2100.');

/** A draft may be incomplete. */
export const articleFieldsSchema = z.strictObject({
  title: titleSchema,
  slug: slugSchema,
  excerpt: excerptSchema,
  /** Markdown. */
  content: contentSchema,
  categoryIds: categoryIdsSchema,
  /** Whether the article is shown first on the blog, or listed as popular in the help center. */
  featured: z.boolean(),
  seo: articleSeoSchema,
  featuredMediaId: z.uuid().nullable().default(null),
});
export type ArticleFields = z.infer<typeof articleFieldsSchema>;

/** Null if the person isn't known, or if their account was deleted. */
const personSchema = z.object({ id: z.uuid(), firstName: z.string().nullable(), email: z.string() }).nullable();
const versionSchema = z.int().min(0);

export const articleRowSchema = z.object({
  id: z.uuid(),
  kind: z.enum(articleKinds),
  title: z.string(),
  slug: z.string(),
  /** Slug of the published version. The draft can have another slug. Null unless the article is published. */
  publicSlug: z.string().nullable(),
  status: z.enum(articleStatuses),
  /** Whether the draft differs from the published version. */
  hasChanges: z.boolean(),
  featured: z.boolean(),
  author: personSchema,
  categories: z.array(z.object({ id: z.uuid(), name: z.string() })),
  publishAt: z.iso.datetime().nullable(),
  publishedAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().nullable(),
});
export type ArticleRow = z.infer<typeof articleRowSchema>;

export const articleSchema = articleRowSchema.extend({
  /** URL of the article after it is published. */
  url: z.url(),
  /** Fields shown in the editor: those of the draft. If the article has no draft, those of the published version. */
  fields: articleFieldsSchema,
  /** Version that the next save must send. Prevents overwriting another editor's changes. */
  version: versionSchema,
  /** Time and author of the last save. Null if the article hasn't been saved yet. */
  saved: z.object({ at: z.iso.datetime(), by: personSchema }).nullable(),
  readingMinutes: z.int(),
});
export type Article = z.infer<typeof articleSchema>;

const articleFilter = {
  kind: z.enum(articleKinds).default('post'),
  /** Matches part of the title or the slug. */
  search: lineSchema.max(limits.searchLength).optional(),
  category: z.uuid().optional(),
  ...makeFilterFields('articles'),
};
export const articlesQuerySchema = z.object({ ...articleFilter, ...tablePageFields });
export const articlesExportSchema = z.object({ ...articleFilter, ...makeExportFields('articles') });

/** `id`: ID chosen by the client. Repeating the request then doesn't create another article. */
export const createArticleBodySchema = z.strictObject({ kind: z.enum(creatableArticleKinds), id: z.uuid().optional() });
/**
 * `up` moves the article before the previous article with the same first category and featured state. `down` moves it
 * after the next such article.
 */
export const moveArticleBodySchema = z.strictObject({ direction: z.enum(['up', 'down']) });
/**
 * `version`: version that the editor last read or saved. `tab`: ID of the editor's browser tab. Saves from the same tab
 * never conflict.
 */
export const saveDraftBodySchema = z.strictObject({
  fields: articleFieldsSchema,
  version: versionSchema,
  tab: z.uuid(),
});
export const savedDraftSchema = z.object({
  version: versionSchema,
  savedAt: z.iso.datetime(),
  readingMinutes: z.int(),
});
/**
 * Publishes the draft now or at `publishAt`. `effectiveOn`: day (UTC) on which a legal text takes effect. `mustAccept`:
 * whether users must accept the terms of service again.
 */
export const publishBodySchema = z.strictObject({
  version: versionSchema,
  publishAt: publicTimeSchema.optional(),
  effectiveOn: z.iso.date().optional(),
  mustAccept: z.boolean().optional(),
});
export const seenVersionBodySchema = z.strictObject({ version: versionSchema });

/** Data of an `edit_conflict` error: the current fields and version, and the time and author of the last change. */
export const editConflictSchema = z.object({
  version: versionSchema,
  fields: articleFieldsSchema,
  by: personSchema,
  at: z.iso.datetime(),
});
export type EditConflict = z.infer<typeof editConflictSchema>;

export const revisionRowSchema = z.object({
  number: z.int(),
  at: z.iso.datetime(),
  by: personSchema,
  reason: z.enum(revisionReasons),
  title: z.string(),
});
export type RevisionRow = z.infer<typeof revisionRowSchema>;
export const revisionSchema = revisionRowSchema.extend({ fields: articleFieldsSchema });
export const revisionParams = z.object({ id: z.string(), number: z.string() });
export const revisionsQuerySchema = z.object({
  /** Revision number. The page starts with the revision before this number. */
  cursor: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
  limit: pageLimitSchema,
});

/** A link that shows the draft to anyone who has it. */
export const previewLinkSchema = z.object({ url: z.url(), expiresAt: z.iso.datetime() });

const { categoryNameLength, categoryDescriptionLength } = articleLimits;

/** `kind`: kind of categories to list: blog categories, help center categories, or departments of open positions. */
export const categoriesQuerySchema = z.object({ kind: z.enum(creatableArticleKinds).default('post') });

/** `posts`: how many public articles it contains. */
export const categorySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  posts: z.int(),
  createdAt: z.iso.datetime(),
});
export type Category = z.infer<typeof categorySchema>;

const nameSchema = toNameSchema(requiredLineSchema('Name is required')).max(
  categoryNameLength,
  `Name can't be longer than ${categoryNameLength} characters.`,
);
const descriptionSchema = storedTextSchema.max(
  categoryDescriptionLength,
  `Description can't be longer than ${categoryDescriptionLength} characters.`,
);

/** If the slug is empty, it is created from the name. */
export const categoryBodySchema = z.strictObject({
  kind: z.enum(creatableArticleKinds).default('post'),
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
