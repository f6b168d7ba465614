import * as z from 'zod';
import { articleSeoSchema } from './articles.ts';

export const legalVersionSchema = z.object({
  number: z.int(),
  publishedAt: z.iso.datetime(),
  effectiveAt: z.iso.datetime(),
  isInForce: z.boolean(),
});
export type LegalVersion = z.infer<typeof legalVersionSchema>;

/** `html` is rendered from Markdown and is safe to display. Legal pages end with details about the site owner. */
export const sitePageSchema = z.object({
  title: z.string(),
  slug: z.string(),
  excerpt: z.string(),
  html: z.string(),
  isLegal: z.boolean(),
  /** Versions of a legal text, newest first. Empty for other pages. The page shows the version in force. */
  versions: z.array(legalVersionSchema),
  /** When the content last changed. */
  updatedAt: z.iso.datetime(),
  seo: articleSeoSchema,
});
export type SitePage = z.infer<typeof sitePageSchema>;

export const legalTextParams = z.object({ slug: z.string(), number: z.string() });
export const legalTextSchema = sitePageSchema
  .pick({ title: true, slug: true, html: true, versions: true })
  .extend({ version: legalVersionSchema });
export type LegalText = z.infer<typeof legalTextSchema>;

/** `excerpt`: location and type of employment. */
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
