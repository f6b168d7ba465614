import * as z from 'zod';
import { securitySettingsSchema, siteSettingsSchema } from './settings.ts';

/** What anybody may know of the site's settings: what it is called, where to write, what a new password needs. */
export const siteSchema = z.object({
  siteName: siteSettingsSchema.shape.siteName,
  contactEmail: siteSettingsSchema.shape.contactEmail,
  supportEmail: siteSettingsSchema.shape.supportEmail,
  /** Characters. */
  minPasswordLength: securitySettingsSchema.shape.minPasswordLength,
});
export type Site = z.infer<typeof siteSchema>;
