import * as z from 'zod';
import { limits } from '../policy/limits.ts';
import { tiers } from '../policy/plans.ts';

/** The signed-in user as every surface shows it. Counters are for display, not quotas. */
export const userSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  isAdmin: z.boolean(),
  subscriptionTier: z.enum(tiers),
  imagesProcessedThisMonth: z.int(),
  apiCallsThisMonth: z.int(),
  createdAt: z.iso.datetime(),
  emailVerified: z.boolean(),
  username: z.string(),
  twoFactorEnabled: z.boolean(),
  /** An account that its owner wants gone ends then, unless it is kept. */
  deletesAt: z.iso.datetime().nullable(),
});
export type User = z.infer<typeof userSchema>;

export const emailSchema = z
  .string()
  .trim()
  .max(limits.emailLength, `An e-mail address has at most ${limits.emailLength} characters.`)
  .pipe(z.email({ error: 'Please enter a valid e-mail address.' }));
/**
 * A line of text. The database would refuse a NUL, or half of a pair that stands alone; the other control characters
 * have no place in a name either.
 */
export const lineSchema = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'Please use letters, digits and signs only.' });
/** A line on which something can be seen. */
export const filledSchema = (error?: string) =>
  lineSchema.regex(/[^\s\p{Default_Ignorable_Code_Point}]/u, { error: error ?? 'Please write something.' });
export const nameSchema = lineSchema
  .max(limits.nameLength, `A name has at most ${limits.nameLength} characters.`)
  .optional();

/** Its shortest length is the site's policy, which only the server knows. */
export const newPasswordSchema = z
  .string()
  .max(limits.maxPasswordLength, `A password has at most ${limits.maxPasswordLength} characters.`);

export const registerBodySchema = z
  .object({
    email: emailSchema,
    password: newPasswordSchema,
    firstName: nameSchema,
    lastName: nameSchema,
    username: lineSchema.max(limits.emailLength).optional(),
    acceptTerms: z.boolean().optional(),
  })
  // Sign-in takes either, so nobody may be named by another's address.
  .refine(({ username, email: own }) => !username?.includes('@') || username.toLowerCase() === own.toLowerCase(), {
    path: ['username'],
    error: 'A user name with an @ must be the e-mail address itself.',
  });
export type RegisterBody = z.input<typeof registerBodySchema>;

export const currentPasswordSchema = z.string().min(1).max(limits.maxPasswordLength);
/** Six digits of an authenticator app, or a recovery code; spaces and dashes do not count. */
export const codeSchema = z.string().trim().min(6).max(40);

export const loginBodySchema = z.object({
  email: lineSchema.min(1).max(limits.emailLength),
  password: currentPasswordSchema,
  code: codeSchema.optional(),
});
export type LoginBody = z.input<typeof loginBodySchema>;
