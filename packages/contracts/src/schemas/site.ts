import * as z from 'zod';
import { securitySettingsSchema, siteSettingsSchema } from './settings.ts';

/** The public settings of the site. */
export const siteSchema = z.object({
  siteName: siteSettingsSchema.shape.siteName,
  contactEmail: siteSettingsSchema.shape.contactEmail,
  supportEmail: siteSettingsSchema.shape.supportEmail,
  /** Characters. */
  minPasswordLength: securitySettingsSchema.shape.minPasswordLength,
});
export type Site = z.infer<typeof siteSchema>;
