import * as z from 'zod';
import { articleSeoSchema } from './articles.ts';

/** A page of the site. `html` is rendered from Markdown, and safe to show. Legal pages end with facts about their owner. */
export const sitePageSchema = z.object({
  title: z.string(),
  slug: z.string(),
  excerpt: z.string(),
  html: z.string(),
  isLegal: z.boolean(),
  /** When the text changed last. */
  updatedAt: z.iso.datetime(),
  seo: articleSeoSchema,
});
export type SitePage = z.infer<typeof sitePageSchema>;

/** An open position. `excerpt`: where and how much. */
export const positionCardSchema = z.object({
  title: z.string(),
  slug: z.string(),
  excerpt: z.string(),
  department: z.string().nullable(),
});
export type PositionCard = z.infer<typeof positionCardSchema>;
export const positionSchema = positionCardSchema.extend({
  html: z.string(),
  publishedAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  seo: articleSeoSchema,
});
export type Position = z.infer<typeof positionSchema>;
