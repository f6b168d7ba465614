import * as z from 'zod';
import { limits } from '../policy/limits.ts';
import { tiers } from '../policy/plans.ts';
import { storedTextSchema } from './stored-text.ts';
import { filledSchema, lineSchema } from './user.ts';

const line = lineSchema.max(1_000);
const required = (error: string) => filledSchema(error).max(1_000);
const email = line.pipe(z.email({ error: 'Must be a valid email' }));

export const siteSettingsSchema = z.strictObject({
  siteName: required('Site name is required').max(100),
  siteDescription: required('Site description is required'),
  siteUrl: line.pipe(z.url({ protocol: /^https?$/, error: 'Must be a valid URL' })),
  contactEmail: email,
  supportEmail: email,
  maintenanceMode: z.boolean(),
  allowRegistration: z.boolean(),
  defaultPlan: z.enum(tiers).default('free'),
});
export type SiteSettings = z.output<typeof siteSettingsSchema>;

const noPort = { error: 'SMTP port is required' };
/** A number, or its decimal digits: what a form's field holds. */
const port = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^\d{1,5}$/)
        .transform(Number),
    ],
    noPort,
  )
  .pipe(z.int(noPort).min(1, noPort).max(65_535));

const emailFields = z.strictObject({
  smtpHost: required('SMTP host is required'),
  smtpPort: port,
  smtpUser: required('SMTP user is required'),
  smtpSecure: z.boolean().default(true),
  fromEmail: email,
  fromName: required('From name is required').max(100),
  welcomeEmailEnabled: z.boolean().default(true),
  notificationEmailEnabled: z.boolean().default(true),
});
/**
 * As it is written. An empty or absent password keeps the one that is stored. What is shown may be sent back, so its
 * `smtpPasswordSet` is taken, and means nothing.
 */
export const emailSettingsBodySchema = emailFields.extend({
  smtpPassword: storedTextSchema.max(1_000).default(''),
  smtpPasswordSet: z.boolean().optional(),
});
export type EmailSettingsBody = Omit<z.output<typeof emailSettingsBodySchema>, 'smtpPasswordSet'>;
/** As it is shown: first values may lack a server, and the password is never told. */
export const emailSettingsSchema = z.object({
  smtpHost: z.string(),
  smtpPort: z.int(),
  smtpUser: z.string(),
  smtpPassword: z.literal(''),
  smtpPasswordSet: z.boolean(),
  smtpSecure: z.boolean(),
  fromEmail: z.string(),
  fromName: z.string(),
  welcomeEmailEnabled: z.boolean(),
  notificationEmailEnabled: z.boolean(),
});
export type EmailSettings = z.output<typeof emailSettingsSchema>;

/** An origin as browsers send it: scheme, host, port, and nothing after. */
const origin = z
  .string()
  .trim()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text, {
    error: 'Each allowed origin must look like https://example.com',
  });

export const securitySettingsSchema = z.strictObject({
  /** Administrators must have two-factor sign-in. */
  requireTwoFactor: z.boolean().default(false),
  /** Minutes without a request after which a session ends. */
  sessionTimeout: z.int().min(5).max(43_200).default(480),
  maxLoginAttempts: z.int().min(3).max(100).default(5),
  /** Minutes. */
  lockoutDuration: z.int().min(1).max(1_440).default(15),
  rateLimitEnabled: z.boolean().default(true),
  /** Processing calls a minute of the free plan; plans that include more keep it. */
  rateLimitRequests: z.int().min(1).max(100_000).default(60),
  allowedOrigins: z.array(origin).max(100).default([]),
  minPasswordLength: z.int().min(limits.passwordLength).max(64).default(8),
});
export type SecuritySettings = z.output<typeof securitySettingsSchema>;
