import * as z from 'zod';
import { meters } from '../policy/meters.ts';
import { emailSchema } from './user.ts';

const to = emailSchema;
const time = z.iso.datetime();

/**
 * Every mail the product sends, as the outbox holds it: who it is about stands beside it, secrets never do (the link of
 * a mail is made when it is sent). `to`: an address other than the user's own.
 */
export const mailSchema = z.discriminatedUnion('mail', [
  z.object({ mail: z.literal('welcome') }),
  z.object({ mail: z.literal('verify_email') }),
  z.object({ mail: z.literal('reset_password') }),
  z.object({ mail: z.literal('password_changed'), at: time }),
  /** To the new address, with the link that proves it. */
  z.object({ mail: z.literal('confirm_new_email'), to }),
  /** To the address in use: somebody asked for another. */
  z.object({ mail: z.literal('email_change_asked'), newEmail: z.string() }),
  /** To the former address. */
  z.object({ mail: z.literal('email_changed'), to, newEmail: z.string() }),
  z.object({
    mail: z.literal('new_device'),
    userAgent: z.string().nullable(),
    address: z.string().nullable(),
    at: time,
  }),
  z.object({ mail: z.literal('two_factor_changed'), isOn: z.boolean(), at: time }),
  z.object({ mail: z.literal('api_key_created'), name: z.string(), preview: z.string(), at: time }),
  /** `says`: what was wrong with the first attempt that failed. */
  z.object({ mail: z.literal('webhook_failing'), url: z.string(), says: z.string(), at: time }),
  z.object({ mail: z.literal('webhook_disabled'), url: z.string(), reason: z.enum(['gone', 'failing']), at: time }),
  z.object({ mail: z.literal('export_ready'), expiresAt: time }),
  /** So many percent of what the plan includes on a meter are used; `left` counts what was granted beside it too. */
  z.object({
    mail: z.literal('quota_warning'),
    share: z.int(),
    meter: z.enum(meters),
    included: z.int(),
    left: z.int(),
    /** The plan has no hard stop. */
    goesOn: z.boolean(),
    resetsAt: time,
  }),
  z.object({ mail: z.literal('deletion_asked'), deletesAt: time }),
  z.object({ mail: z.literal('account_deleted'), to, firstName: z.string().nullable() }),
]);
export type Mail = z.infer<typeof mailSchema>;
export type MailName = Mail['mail'];
