import * as z from 'zod';
import { roles } from '../policy/admin/permissions.ts';
import { inquiryTypes, ticketKinds } from '../policy/admin/tickets.ts';
import { topics } from '../policy/newsletter.ts';
import { meters } from '../policy/plans/meters.ts';
import { anomalyFactsSchema } from './admin/access-log.ts';
import { billingMailSchemas } from './billing/billing-mails.ts';
import { emailSchema } from './user.ts';

/**
 * What a campaign says, without what differs between recipients. `html`: safe, below the lines, and `text`: the same in plain
 * text.
 */
export const campaignContentSchema = z.object({
  subject: z.string(),
  topic: z.enum(topics),
  lines: z.array(z.string()),
  body: z.object({ html: z.string(), text: z.string() }).optional(),
  action: z.object({ label: z.string(), url: z.string() }).optional(),
});
export type CampaignContent = z.infer<typeof campaignContentSchema>;

const to = emailSchema;
const time = z.iso.datetime();

/**
 * Every email, as stored in the outbox. The user is stored beside it; secrets are not, because links are created when
 * the email is sent. `to`: a recipient other than the user's email address.
 */
export const mailSchema = z.discriminatedUnion('mail', [
  z.object({ mail: z.literal('welcome') }),
  /** `next`: the page to open after the confirmation. */
  z.object({ mail: z.literal('verify_email'), next: z.string().optional() }),
  z.object({ mail: z.literal('reset_password') }),
  /** To a person without an account, with a link. */
  z.object({ mail: z.literal('invitation'), to, id: z.uuid(), role: z.enum(roles).nullable() }),
  z.object({ mail: z.literal('password_changed'), at: time }),
  /** To the new email address, with a confirmation link. */
  z.object({ mail: z.literal('confirm_new_email'), to }),
  /** To the current email address. */
  z.object({ mail: z.literal('email_change_asked'), newEmail: z.string() }),
  /** To the previous email address. */
  z.object({ mail: z.literal('email_changed'), to, newEmail: z.string() }),
  z.object({
    mail: z.literal('new_device'),
    userAgent: z.string().nullable(),
    address: z.string().nullable(),
    at: time,
  }),
  z.object({ mail: z.literal('two_factor_changed'), isOn: z.boolean(), at: time }),
  z.object({ mail: z.literal('passkey_changed'), name: z.string(), isAdded: z.boolean(), at: time }),
  z.object({ mail: z.literal('api_key_created'), name: z.string(), preview: z.string(), at: time }),
  /** `says`: the error of the first failed attempt. */
  z.object({ mail: z.literal('webhook_failing'), url: z.string(), says: z.string(), at: time }),
  z.object({ mail: z.literal('webhook_disabled'), url: z.string(), reason: z.enum(['gone', 'failing']), at: time }),
  z.object({ mail: z.literal('export_ready'), expiresAt: time }),
  /** `share`: percent of the plan's quota on a meter that are used. `left` includes grants. */
  z.object({
    mail: z.literal('quota_warning'),
    share: z.int(),
    meter: z.enum(meters),
    included: z.int(),
    left: z.int(),
    /** Whether processing continues beyond the quota. */
    goesOn: z.boolean(),
    resetsAt: time,
  }),
  /** A long batch of the web app. Numbers of images. */
  z.object({ mail: z.literal('batch_ended'), completed: z.int(), failed: z.int() }),
  ...billingMailSchemas,
  /** To support: an inquiry about Enterprise. */
  z.object({
    mail: z.literal('lead'),
    to,
    name: z.string(),
    email: z.string(),
    company: z.string(),
    volume: z.string(),
    message: z.string(),
  }),
  /** To support: a message of the contact form. `files`: how many are attached. */
  z.object({
    mail: z.literal('ticket_opened'),
    to,
    ticketId: z.uuid(),
    number: z.int(),
    kind: z.enum(ticketKinds),
    inquiryType: z.enum(inquiryTypes).nullable(),
    position: z.string().nullable(),
    name: z.string(),
    email: z.string(),
    company: z.string(),
    subject: z.string(),
    message: z.string(),
    files: z.int(),
  }),
  /** To the sender of a message. It has none of their words, because anyone can type the email address of somebody else. */
  z.object({ mail: z.literal('ticket_received'), to, ticketId: z.uuid(), number: z.int() }),
  /** To the sender: what an administrator replied. */
  z.object({
    mail: z.literal('ticket_reply'),
    to,
    ticketId: z.uuid(),
    number: z.int(),
    subject: z.string(),
    message: z.string(),
  }),
  /** With a link, to an email address that anyone may have typed. It has none of their words. */
  z.object({ mail: z.literal('confirm_subscription'), to, subscriberId: z.uuid(), topics: z.array(z.enum(topics)) }),
  /** A campaign, to the administrator who tests it. */
  z.object({ mail: z.literal('campaign_test'), to, campaign: campaignContentSchema }),
  /** To owners: what rules found in the access log. `more`: the number of further anomalies. */
  z.object({ mail: z.literal('anomalies'), anomalies: z.array(anomalyFactsSchema).min(1), more: z.int() }),
  /** To owners, through the present mail server. `present`, `next`: the server and the sender. */
  z.object({
    mail: z.literal('email_settings_changing'),
    by: z.string(),
    present: z.string(),
    next: z.string(),
    at: time,
  }),
  z.object({ mail: z.literal('deletion_asked'), deletesAt: time }),
  z.object({ mail: z.literal('account_deleted'), to, firstName: z.string().nullable() }),
]);
export type Mail = z.infer<typeof mailSchema>;
export type MailName = Mail['mail'];
