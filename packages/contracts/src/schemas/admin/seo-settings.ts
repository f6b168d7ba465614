import * as z from 'zod';
import { lineSchema, requiredLineSchema } from '../user.ts';

const line = lineSchema.max(1_000);
const required = (error: string) => requiredLineSchema(error).max(1_000);
/** Creates a schema for strings of a format, or empty ones. */
const emptyOr = (form: RegExp, error: string) => lineSchema.regex(new RegExp(`^(?:${form.source})?$`), { error });

const isEmptyOrUrl = (text: string) => text === '' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));

/** Metadata of the site for search engines and social networks, and the IDs of its analytics. */
export const seoSettingsSchema = z.strictObject({
  metaTitle: required('Meta title is required'),
  metaDescription: required('Meta description is required'),
  metaKeywords: line.default(''),
  /** Title and description for social networks. If empty, the meta title and description are used. */
  ogTitle: line.default(''),
  ogDescription: line.default(''),
  ogImage: line.refine(isEmptyOrUrl, { error: 'Must be a valid URL' }).default(''),
  twitterCard: line.default('summary_large_image'),
  twitterSite: line.default(''),
  googleAnalyticsId: emptyOr(/G-[A-Z0-9]{4,20}/, 'Enter a measurement ID such as G-AB12CD34EF.').default(''),
  googleTagManagerId: emptyOr(/GTM-[A-Z0-9]{4,20}/, 'Enter a container ID such as GTM-AB12CD3.').default(''),
});
export type SeoSettings = z.output<typeof seoSettingsSchema>;
