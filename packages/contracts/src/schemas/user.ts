import * as z from 'zod';
import { permissions, roles } from '../policy/admin/permissions.ts';
import { limits } from '../policy/limits.ts';
import { tiers } from '../policy/plans/plans.ts';

/** The signed-in user. The counters are only for display. */
export const userSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  isAdmin: z.boolean(),
  role: z.enum(roles).nullable(),
  permissions: z.array(z.enum(permissions)),
  subscriptionTier: z.enum(tiers),
  /** Version of the plan that was bought. Null if it is the current version. */
  planVersion: z.int().nullable(),
  imagesProcessedThisMonth: z.int(),
  apiCallsThisMonth: z.int(),
  createdAt: z.iso.datetime(),
  emailVerified: z.boolean(),
  username: z.string(),
  twoFactorEnabled: z.boolean(),
  /** Whether to email the user when certain percentages of the quota have been used. */
  quotaEmails: z.boolean(),
  /** Whether to email the user when long batches end. */
  batchEmails: z.boolean(),
  /**
   * The newest terms of service, if the user must accept them. `effectiveAt`: from this time on, images aren't
   * processed until the user accepts. Absent if no terms must be accepted, and for administrators who view the account.
   */
  pendingTerms: z.object({ version: z.int(), effectiveAt: z.iso.datetime(), isRequired: z.boolean() }).optional(),
  /** When the account will be deleted. Null if its owner hasn't requested that. */
  deletesAt: z.iso.datetime().nullable(),
  /** Administrator who is viewing the web app as this user, and when the view ends. Absent if the user is signed in. */
  viewedBy: z.object({ id: z.uuid(), email: z.string(), until: z.iso.datetime() }).optional(),
});
export type User = z.infer<typeof userSchema>;

export const startedViewSchema = z.object({ userId: z.uuid(), until: z.iso.datetime() });

export const emailSchema = z
  .string()
  .trim()
  .max(limits.emailLength, `Email can't be longer than ${limits.emailLength} characters.`)
  .pipe(z.email({ error: 'Enter a valid email address.' }));
/**
 * Returns a schema for a line of text without control characters or lone surrogates. `missing`: error message for an
 * absent field or null.
 */
export const makeLineSchema = (missing?: string) =>
  z
    .string({ error: ({ input }) => (input === undefined || input === null ? missing : undefined) })
    .trim()
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: "Control characters aren't allowed." });
export const lineSchema = makeLineSchema();
/** Returns a schema for a line with at least one visible character. */
export const requiredLineSchema = (error = 'This field is required.') =>
  makeLineSchema(error).regex(/[^\s\p{Default_Ignorable_Code_Point}]/u, { error });
const visiblePattern = /^$|[^\s\p{Default_Ignorable_Code_Point}]/u;
/**
 * Restricts a line that others see as a name or title: it can't be invisible, embed or override the direction of text,
 * or contain characters that look like @. Direction marks are allowed, because Arabic and Hebrew names contain them.
 */
export const toNameSchema = (line: z.ZodString) =>
  line
    .regex(visiblePattern, { error: 'Enter at least one visible character.' })
    .regex(/^[^\u202A-\u202E\u2066-\u2069]*$/u, {
      error: "Characters that change the direction of text aren't allowed.",
    })
    .regex(/^[^\uFF20\uFE6B]*$/u, { error: "Characters that look like @ aren't allowed." });
export const nameSchema = toNameSchema(lineSchema)
  .max(limits.nameLength, `Name can't be longer than ${limits.nameLength} characters.`)
  .optional();

/** Doesn't check the minimum length, because it is a site setting. The server checks it. */
export const newPasswordSchema = z
  .string()
  .max(limits.maxPasswordLength, `Password can't be longer than ${limits.maxPasswordLength} characters.`);

const acceptTermsError = `Confirm that you are ${limits.minAge} or older and accept the terms to create an account.`;

/**
 * Confirms that the user accepts the terms of service and the privacy policy, and is old enough. Optional, because
 * clients without a sign-up form of their own don't send it.
 */
export const acceptTermsSchema = z
  .boolean()
  .refine((accepted) => accepted, acceptTermsError)
  .optional();

export const registerBodySchema = z
  .object({
    email: emailSchema,
    password: newPasswordSchema,
    firstName: nameSchema,
    lastName: nameSchema,
    username: toNameSchema(lineSchema).max(limits.emailLength).optional(),
    acceptTerms: acceptTermsSchema,
    /** Page to open after the email address is confirmed. Ignored if it isn't a page of this site. */
    next: z.string().max(limits.nextLength).optional(),
  })
  // Users sign in with a username or an email address, so a username must not be another user's email address.
  .refine(({ username, email: own }) => !username?.includes('@') || username.toLowerCase() === own.toLowerCase(), {
    path: ['username'],
    error: 'A username can contain @ only if it is your email address.',
  });
export type RegisterBody = z.input<typeof registerBodySchema>;

export const currentPasswordSchema = z.string().min(1).max(limits.maxPasswordLength);
const codeLength = { digits: 6, recovery: 15 } as const;
const codeError = `Enter all ${codeLength.digits} digits from your authenticator app, or a full recovery code.`;

/** Six digits from an authenticator app, or a recovery code. Spaces and dashes are ignored. */
export const codeSchema = z
  .string()
  .trim()
  .max(40, codeError)
  // Rejects incomplete codes before they are sent, because each wrong code counts as an attempt.
  .refine((code) => {
    const { length } = code.replace(/[\s-]/g, '');
    return length >= (/^[\d\s-]*$/.test(code) ? codeLength.digits : codeLength.recovery);
  }, codeError);

/** Six digits from an authenticator app. Spaces and dashes are ignored. */
export const totpCodeSchema = z
  .string()
  .trim()
  .regex(/^(?:[\s-]*\d){6}[\s-]*$/, 'Enter all 6 digits from your authenticator app.');

export const loginBodySchema = z.object({
  email: lineSchema.min(1).max(limits.emailLength),
  password: currentPasswordSchema,
  code: codeSchema.optional(),
});
export type LoginBody = z.input<typeof loginBodySchema>;
