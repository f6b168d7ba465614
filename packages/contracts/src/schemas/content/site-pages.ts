import * as z from 'zod';
import { articleSeoSchema } from './articles.ts';

/** A published version of a legal text. `isInForce`: it applies now, until a later version takes effect. */
export const legalVersionSchema = z.object({
  number: z.int(),
  publishedAt: z.iso.datetime(),
  effectiveAt: z.iso.datetime(),
  isInForce: z.boolean(),
});
export type LegalVersion = z.infer<typeof legalVersionSchema>;

/** A page of the site. `html` is rendered from Markdown, and safe to show. Legal pages end with facts about their owner. */
export const sitePageSchema = z.object({
  title: z.string(),
  slug: z.string(),
  excerpt: z.string(),
  html: z.string(),
  isLegal: z.boolean(),
  /** Of a legal text, the newest first. The page has the text of the one in force. Empty for other pages. */
  versions: z.array(legalVersionSchema),
  /** When the text changed last. */
  updatedAt: z.iso.datetime(),
  seo: articleSeoSchema,
});
export type SitePage = z.infer<typeof sitePageSchema>;

export const legalTextParams = z.object({ slug: z.string(), number: z.string() });
/** The text of a version of a legal text, and all its versions. */
export const legalTextSchema = sitePageSchema
  .pick({ title: true, slug: true, html: true, versions: true })
  .extend({ version: legalVersionSchema });
export type LegalText = z.infer<typeof legalTextSchema>;

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
