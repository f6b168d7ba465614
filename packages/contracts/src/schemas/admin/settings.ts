import * as z from 'zod';
import { engineNames } from '../../policy/images/engines.ts';
import { limits } from '../../policy/limits.ts';
import { meters } from '../../policy/plans/meters.ts';
import { tiers } from '../../policy/plans/plans.ts';
import { originSchema } from '../origin.ts';
import { storedTextSchema } from '../stored-text.ts';
import { lineSchema, makeLineSchema, requiredLineSchema, toNameSchema } from '../user.ts';

const line = lineSchema.max(1_000);
const paragraphs = storedTextSchema.max(5_000);
const makeRequiredLine = (error: string) => requiredLineSchema(error).max(1_000);
const invalidEmailText = 'Must be a valid email';
const email = makeLineSchema(invalidEmailText)
  .max(1_000)
  .pipe(z.email({ error: invalidEmailText }));
const invalidUrlText = 'Must be a valid URL';

export const siteSettingsSchema = z.strictObject({
  siteName: toNameSchema(makeRequiredLine('Site name is required')).max(100),
  siteDescription: makeRequiredLine('Site description is required'),
  siteUrl: makeLineSchema(invalidUrlText)
    .max(1_000)
    .pipe(z.url({ protocol: /^https?$/, error: invalidUrlText })),
  contactEmail: email,
  supportEmail: email,
  maintenanceMode: z.boolean(),
  allowRegistration: z.boolean(),
  defaultPlan: z.enum(tiers).default('free'),
  /** Details of the site owner, for legal pages, emails, and the maintenance page. */
  supportHours: line,
  company: toNameSchema(line),
  companyAddress: line,
  governingLaw: line,
  liability: paragraphs,
  legalBasis: paragraphs,
  /** One processor per line. */
  processors: paragraphs,
  /** Cost per engine hour, in US cents. Engines without a known cost are absent. */
  engineHourCosts: z.partialRecord(z.enum(engineNames), z.int().min(0).max(10_000_000)),
});
export type SiteSettings = z.output<typeof siteSettingsSchema>;
const ownerDetails = {
  supportHours: true,
  company: true,
  companyAddress: true,
  governingLaw: true,
  liability: true,
  legalBasis: true,
  processors: true,
} as const;
/** Request body. If owner details or costs are absent, the stored values are kept. */
export const siteSettingsBodySchema = siteSettingsSchema.partial({ ...ownerDetails, engineHourCosts: true });

const portRequiredIssue = { error: 'SMTP port is required' };
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
    portRequiredIssue,
  )
  .pipe(z.int(portRequiredIssue).min(1, portRequiredIssue).max(65_535));

const emailFields = z.strictObject({
  smtpHost: makeRequiredLine('SMTP host is required'),
  smtpPort: port,
  smtpUser: makeRequiredLine('SMTP user is required'),
  smtpSecure: z.boolean().default(true),
  fromEmail: email,
  fromName: toNameSchema(makeRequiredLine('From name is required')).max(100),
  welcomeEmailEnabled: z.boolean().default(true),
  notificationEmailEnabled: z.boolean().default(true),
});
/**
 * Request body. An empty or absent password keeps the stored one, and null removes it. The response fields
 * `smtpPasswordSet` and `smtpPasswordLost` are accepted and ignored.
 */
export const emailSettingsBodySchema = emailFields.extend({
  smtpPassword: storedTextSchema.max(1_000).nullable().default(''),
  smtpPasswordSet: z.boolean().optional(),
  smtpPasswordLost: z.boolean().optional(),
});
/**
 * Email settings in use. An empty password means that the service doesn't sign in to the mail server. Null means that
 * the stored password was encrypted with another `VAULT_SECRET`, so no email can be sent.
 */
export type EmailSettingsBody = z.output<typeof emailFields> & { smtpPassword: string | null };
/** The password is never returned. The server may not be configured yet. */
export const emailSettingsSchema = z.object({
  smtpHost: z.string(),
  smtpPort: z.int(),
  smtpUser: z.string(),
  smtpPassword: z.literal(''),
  smtpPasswordSet: z.boolean(),
  /** Whether the password must be entered again, because the stored one was encrypted with another `VAULT_SECRET`. */
  smtpPasswordLost: z.literal(true).optional(),
  smtpSecure: z.boolean(),
  fromEmail: z.string(),
  fromName: z.string(),
  welcomeEmailEnabled: z.boolean(),
  notificationEmailEnabled: z.boolean(),
});
export type EmailSettings = z.output<typeof emailSettingsSchema>;

export const testMailSchema = z.object({ to: z.string(), delivered: z.boolean(), answer: z.string() });
export type TestMailResponse = z.infer<typeof testMailSchema>;

export const securitySettingsSchema = z.strictObject({
  requireTwoFactor: z.boolean().default(false),
  /** Idle time after which a session ends, in minutes. */
  sessionTimeout: z.int().min(5).max(43_200).default(480),
  maxLoginAttempts: z.int().min(3).max(100).default(5),
  /** Duration of a lockout, in minutes. */
  lockoutDuration: z.int().min(1).max(1_440).default(15),
  rateLimitEnabled: z.boolean().default(true),
  /** Processing requests per minute on the Free plan. Plans with a higher limit are unaffected. */
  rateLimitRequests: z.int().min(1).max(100_000).default(60),
  allowedOrigins: z.array(originSchema).max(100).default([]),
  minPasswordLength: z.int().min(limits.passwordLength).max(64).default(8),
});
export type SecuritySettings = z.output<typeof securitySettingsSchema>;

/** Amount in cents. Stripe's minimum is 50. */
const cents = z.int().min(50).max(10_000_000);

/** The units don't expire. */
export const packSchema = z.strictObject({
  key: z.string().regex(/^[a-z0-9_]{1,30}$/, 'Use lower-case letters, digits, and underscores.'),
  units: z.int().min(1).max(limits.grantUnits),
  /** `shared`: the units can be used for all kinds of images. */
  meter: z.enum(meters).default('shared'),
  amount: cents,
});

export type Pack = z.output<typeof packSchema>;

export const billingSettingsSchema = z.strictObject({
  /** Yearly price of each plan, in cents. Null if the plan is sold only monthly. */
  yearly: z
    .strictObject({
      pro: cents.nullable().default(null),
      api_basic: cents.nullable().default(null),
      api_pro: cents.nullable().default(null),
      enterprise: cents.nullable().default(null),
    })
    .prefault({}),
  packs: z
    .array(packSchema)
    .max(20)
    .refine((packs) => new Set(packs.map(({ key }) => key)).size === packs.length, 'Each pack needs its own key.')
    .default([]),
  /** Whether the payment provider calculates tax and adds it to prices. */
  collectsTax: z.boolean().default(false),
});
export type BillingSettings = z.output<typeof billingSettingsSchema>;

/** Site settings that anyone can read. */
export const siteSchema = siteSettingsSchema
  .pick({ siteName: true, contactEmail: true, supportEmail: true, ...ownerDetails })
  .extend({ minPasswordLength: securitySettingsSchema.shape.minPasswordLength });
export type Site = z.infer<typeof siteSchema>;

const makeOptionalLine = (form: RegExp, error: string) =>
  lineSchema.regex(new RegExp(`^(?:${form.source})?$`), { error });

const isEmptyOrUrl = (text: string) => text === '' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));

export const seoSettingsSchema = z.strictObject({
  metaTitle: makeRequiredLine('Meta title is required'),
  metaDescription: makeRequiredLine('Meta description is required'),
  metaKeywords: line.default(''),
  /** Title and description for social networks. If empty, the meta title and description are used. */
  ogTitle: line.default(''),
  ogDescription: line.default(''),
  ogImage: line.refine(isEmptyOrUrl, { error: 'Must be a valid URL' }).default(''),
  twitterCard: line.default('summary_large_image'),
  twitterSite: line.default(''),
  googleAnalyticsId: makeOptionalLine(/G-[A-Z0-9]{4,20}/, 'Enter a measurement ID such as G-AB12CD34EF.').default(''),
  googleTagManagerId: makeOptionalLine(/GTM-[A-Z0-9]{4,20}/, 'Enter a container ID such as GTM-AB12CD3.').default(''),
});
export type SeoSettings = z.output<typeof seoSettingsSchema>;
