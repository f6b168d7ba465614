import * as z from 'zod';
import { siteSettingsSchema } from './settings.ts';

/** What anybody may know of the site's settings: what it is called, and where to write. */
export const siteSchema = z.object({
  siteName: siteSettingsSchema.shape.siteName,
  contactEmail: siteSettingsSchema.shape.contactEmail,
  supportEmail: siteSettingsSchema.shape.supportEmail,
});
export type Site = z.infer<typeof siteSchema>;
