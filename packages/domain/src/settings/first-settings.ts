import { maxPlanFactor, retention } from '@uprez/contracts/policy/plans/plans';
import {
  billingSettingsSchema,
  securitySettingsSchema,
  seoSettingsSchema,
} from '@uprez/contracts/schemas/admin/settings';
import { jobSettingsSchema } from '@uprez/contracts/schemas/admin/workers';
import type { SettingsByName } from '../context.ts';

/** Without a host, no email can be sent. */
export type MailEnvironment = {
  PUBLIC_URL: string;
  SMTP_HOST?: string | undefined;
  SMTP_PORT: number;
  SMTP_USER?: string | undefined;
  SMTP_PASSWORD?: string | undefined;
  SMTP_SECURE: boolean;
  SMTP_FROM_EMAIL?: string | undefined;
  SMTP_FROM_NAME?: string | undefined;
};

export const productName = 'Uprez';
const metaTitle = `${productName}: Upscale and resize images`;
const metaDescription = `Upscale and resize images up to ${maxPlanFactor}x. See the result size and processing time before you start. Files are deleted within ${retention.resultMinutes / 60} hours.`;

/** Falls back to `uprez.local` for local names and IP addresses, which can't receive email. */
function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return /[a-z]/.test(hostname) && hostname.includes('.') ? hostname : 'uprez.local';
}

/**
 * Returns the settings that are used until an administrator changes them: values from the environment, or the product's
 * defaults.
 */
export function makeFirstSettings(env: MailEnvironment): SettingsByName {
  // Don't use the first administrator's address. It is their sign-in name, and the support address appears in emails to
  // everyone.
  const supportEmail = env.SMTP_FROM_EMAIL ?? `support@${mailDomain(env.PUBLIC_URL)}`;
  return {
    site: {
      siteName: productName,
      siteDescription: 'Resize and upscale images, with every detail kept.',
      siteUrl: env.PUBLIC_URL,
      contactEmail: supportEmail,
      supportEmail,
      maintenanceMode: false,
      allowRegistration: true,
      defaultPlan: 'free',
      supportHours: '',
      company: '',
      companyAddress: '',
      governingLaw: '',
      ...{ liability: '', legalBasis: '', processors: '' },
      engineHourCosts: {},
    },
    email: {
      smtpHost: env.SMTP_HOST ?? '',
      smtpPort: env.SMTP_PORT,
      smtpUser: env.SMTP_USER ?? '',
      smtpPassword: env.SMTP_PASSWORD ?? '',
      smtpSecure: env.SMTP_SECURE,
      fromEmail: env.SMTP_FROM_EMAIL ?? `no-reply@${mailDomain(env.PUBLIC_URL)}`,
      fromName: env.SMTP_FROM_NAME ?? productName,
      welcomeEmailEnabled: true,
      notificationEmailEnabled: true,
    },
    security: securitySettingsSchema.parse({}),
    billing: billingSettingsSchema.parse({}),
    jobs: jobSettingsSchema.parse({}),
    seo: seoSettingsSchema.parse({ metaTitle, metaDescription }),
  };
}
