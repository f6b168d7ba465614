import * as z from 'zod';
import { articleStatuses } from '../../policy/articles.ts';
import { findMediaId } from '../../policy/images/media.ts';
import { tablePageFields } from '../admin/table.ts';
import {
  articleSeoSchema,
  categoryIdsSchema,
  contentSchema,
  excerptSchema,
  publicTimeSchema,
  slugSchema,
  titleSchema,
} from './articles.ts';
import { mediaImageSchema } from './media.ts';

const featuredImageSchema = z
  .string()
  .refine((url) => url === '' || findMediaId(url) !== undefined, 'Featured images must be from the media library.');

/** In updates, absent fields keep their values. */
export const postBodySchema = z.strictObject({
  title: titleSchema.refine((title) => title !== '', 'Title is required'),
  content: contentSchema.refine((content) => content.trim() !== '', 'Content is required'),
  excerpt: excerptSchema.optional(),
  /** Draft by default for new posts. */
  status: z.enum(articleStatuses).optional(),
  slug: slugSchema.optional(),
  categoryIds: categoryIdsSchema.optional(),
  /** When a scheduled post will be published, or when a published post was published. */
  publishedAt: publicTimeSchema.optional(),
  seo: articleSeoSchema.optional(),
  /** `/media/{id}`. An empty string if the post has no image. */
  featuredImage: featuredImageSchema.optional(),
});
export type PostInput = z.output<typeof postBodySchema>;

/** A post with its text, for administrators. */
export const postSchema = z.object({
  id: z.uuid(),
  title: z.string(),
  content: z.string(),
  excerpt: z.string(),
  status: z.enum(articleStatuses),
  slug: z.string(),
  author: z.object({ firstName: z.string().nullable(), email: z.string() }).nullable(),
  categoryNames: z.array(z.string()),
  categoryIds: z.array(z.uuid()),
  /** When a scheduled post will be published, or when a published post was published. */
  publishedAt: z.iso.datetime().nullable(),
  seo: articleSeoSchema,
  /** `/media/{id}`. An empty string if the post has no image. */
  featuredImage: z.string(),
});
export type Post = z.infer<typeof postSchema>;
export const adminPostsQuerySchema = z.object(tablePageFields);

export const postCardSchema = z.object({
  title: z.string(),
  slug: z.string(),
  excerpt: z.string(),
  /** First and last name. Null if the author's account was deleted. */
  author: z.string().nullable(),
  categories: z.array(z.object({ name: z.string(), slug: z.string() })),
  readingMinutes: z.int(),
  publishedAt: z.iso.datetime(),
  image: mediaImageSchema.nullable(),
});
export type PostCard = z.infer<typeof postCardSchema>;

/** `html` is rendered from Markdown and is safe to display. */
export const publicPostSchema = postCardSchema.extend({
  html: z.string(),
  updatedAt: z.iso.datetime(),
  seo: articleSeoSchema,
});
export type PublicPost = z.infer<typeof publicPostSchema>;

export const postsQuerySchema = z.object({
  category: z.string().max(100).optional(),
  page: z.coerce.number().int().min(1).max(10_000).default(1),
});
/**
 * A page of public posts, newest first. `featured`: null except on the first page without a category. `category`:
 * current slug of the category. It can differ from the requested slug, because former slugs are accepted too.
 */
export const postPageSchema = z.object({
  category: z.string().nullable(),
  featured: postCardSchema.nullable(),
  posts: z.array(postCardSchema),
  page: z.int(),
  pages: z.int(),
});
export type PostPage = z.infer<typeof postPageSchema>;

export const slugParams = z.object({ slug: z.string() });
export const previewParams = z.object({ token: z.string() });
export const previewSchema = z.object({
  title: z.string(),
  excerpt: z.string(),
  html: z.string(),
  readingMinutes: z.int(),
  image: mediaImageSchema.nullable(),
  expiresAt: z.iso.datetime(),
});
