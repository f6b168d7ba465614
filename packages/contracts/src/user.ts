import * as z from 'zod';
import { limits } from './limits.ts';
import { tiers } from './plans.ts';

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
});
export type User = z.infer<typeof userSchema>;

const email = z
  .string()
  .trim()
  .max(limits.emailLength, `An e-mail address has at most ${limits.emailLength} characters.`)
  .pipe(z.email({ error: 'Please enter a valid e-mail address.' }));
/** A NUL would be refused by the database; the other control characters have no place in a name either. */
const line = z
  .string()
  .trim()
  .regex(/^\P{Cc}*$/u, { error: 'Please use letters, digits and signs only.' });
const name = line.max(limits.nameLength, `A name has at most ${limits.nameLength} characters.`).optional();

export const registerBodySchema = z
  .object({
    email,
    password: z
      .string()
      .max(limits.maxPasswordLength, `A password has at most ${limits.maxPasswordLength} characters.`),
    firstName: name,
    lastName: name,
    username: line.max(limits.emailLength).optional(),
    acceptTerms: z.boolean().optional(),
  })
  // Sign-in takes either, so nobody may be named by another's address.
  .refine(({ username, email: own }) => !username?.includes('@') || username.toLowerCase() === own.toLowerCase(), {
    path: ['username'],
    error: 'A user name with an @ must be the e-mail address itself.',
  });
export type RegisterBody = z.input<typeof registerBodySchema>;

export const loginBodySchema = z.object({
  email: line.min(1).max(limits.emailLength),
  password: z.string().min(1).max(limits.maxPasswordLength),
});
export type LoginBody = z.input<typeof loginBodySchema>;
