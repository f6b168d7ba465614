import type { EmailSettingsBody, SecuritySettings, SiteSettings } from '@uprez/contracts/settings';
import { securitySettingsSchema } from '@uprez/contracts/settings';

/** What the environment says of the mail server; an absent host means that no mail can be sent. */
export type MailEnvironment = {
  PUBLIC_URL: string;
  ADMIN_EMAIL: string;
  SMTP_HOST?: string | undefined;
  SMTP_PORT: number;
  SMTP_USER?: string | undefined;
  SMTP_PASSWORD?: string | undefined;
  SMTP_SECURE: boolean;
  SMTP_FROM_EMAIL?: string | undefined;
  SMTP_FROM_NAME?: string | undefined;
};

/** Settings by name, as verbs use them. */
export type SettingsByName = { site: SiteSettings; email: EmailSettingsBody; security: SecuritySettings };

const productName = 'Uprez';

/** The values that hold until an administrator has written others: from the environment, else the product's defaults. */
export function makeFirstSettings(env: MailEnvironment): SettingsByName {
  return {
    site: {
      siteName: productName,
      siteDescription: 'Resize and enlarge pictures, with every detail kept.',
      siteUrl: env.PUBLIC_URL,
      contactEmail: env.ADMIN_EMAIL,
      supportEmail: env.ADMIN_EMAIL,
      maintenanceMode: false,
      allowRegistration: true,
      defaultPlan: 'free',
    },
    email: {
      smtpHost: env.SMTP_HOST ?? '',
      smtpPort: env.SMTP_PORT,
      smtpUser: env.SMTP_USER ?? '',
      smtpPassword: env.SMTP_PASSWORD ?? '',
      smtpSecure: env.SMTP_SECURE,
      fromEmail: env.SMTP_FROM_EMAIL ?? env.ADMIN_EMAIL,
      fromName: env.SMTP_FROM_NAME ?? productName,
      welcomeEmailEnabled: true,
      notificationEmailEnabled: true,
    },
    security: securitySettingsSchema.parse({}),
  };
}
