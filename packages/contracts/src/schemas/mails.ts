import * as z from 'zod';
import { roles } from '../policy/admin/permissions.ts';
import { inquiryTypes, ticketKinds } from '../policy/admin/tickets.ts';
import { billingIntervals } from '../policy/billing/billing.ts';
import { topics } from '../policy/newsletter.ts';
import { meters } from '../policy/plans/meters.ts';
import { tiers } from '../policy/plans/plans.ts';
import { anomalyFactsSchema } from './admin/logs.ts';
import { emailSchema } from './user.ts';

const time = z.iso.datetime();
const tier = z.enum(tiers);
/** Amount in cents, and ISO 4217 currency code. */
const money = { amount: z.int(), currency: z.string() };
/** `override`: plan set by an administrator, which replaces the subscription's plan. Added when the email is queued. */
const overrideFields = { tier, override: tier.optional() };
/** `tax`: tax included in `amount`, in cents. */
const chargeFields = { ...money, tax: z.int().default(0) };

const billingMailSchemas = [
  /**
   * Offer of a plan from an administrator. `amount`: price per billing interval. The recipient may not have an account
   * yet.
   */
  z.object({
    mail: z.literal('checkout_link'),
    to: z.email(),
    tier,
    interval: z.enum(billingIntervals),
    ...money,
  }),
  /** `amount`: amount charged. `nextAt`: date of the next bill. */
  z.object({
    mail: z.literal('plan_subscribed'),
    tier,
    interval: z.enum(billingIntervals),
    ...chargeFields,
    nextAt: time,
  }),
  /** `price`: price per billing interval before discounts, in cents. */
  z.object({
    mail: z.literal('plan_changed'),
    from: z.object({ tier, interval: z.enum(billingIntervals) }),
    tier,
    interval: z.enum(billingIntervals),
    price: z.int(),
    ...chargeFields,
    nextAt: time,
  }),
  z.object({ mail: z.literal('plan_canceled'), ...overrideFields, endsAt: time }),
  /** `reason`: `unpaid` if the renewal wasn't paid. */
  z.object({ mail: z.literal('plan_ended'), ...overrideFields, reason: z.enum(['unpaid', 'canceled']) }),
  /** `from`: end of the paid period. */
  z.object({ mail: z.literal('plan_paused'), ...overrideFields, from: time, until: time.nullable() }),
  z.object({ mail: z.literal('plan_resumed'), tier, nextAt: time }),
  /**
   * `retryAt`: when the payment will be attempted again. Null if it won't. `endsAt`: when the plan ends if the bill
   * isn't paid.
   */
  z.object({ mail: z.literal('payment_failed'), ...overrideFields, ...money, retryAt: time.nullable(), endsAt: time }),
  /** Sent if the bank requires 3-D Secure. */
  z.object({ mail: z.literal('payment_action_needed'), ...overrideFields, ...money, endsAt: time }),
  z.object({ mail: z.literal('payment_recovered'), ...overrideFields, ...chargeFields, nextAt: time }),
  /** `paid`: full amount of the payment. `removed`: unused units that were bought with the payment. */
  z.object({
    mail: z.literal('payment_refunded'),
    ...money,
    paid: z.int(),
    removed: z.array(z.object({ units: z.int(), meter: z.enum(meters) })).default([]),
  }),
  z.object({
    mail: z.literal('card_expiring'),
    brand: z.string(),
    last4: z.string(),
    month: z.int().min(1).max(12),
    year: z.int(),
  }),
  z.object({ mail: z.literal('renewal_ahead'), tier, ...money, at: time }),
] as const;
/**
 * Subscription emails that have a different text while a plan set by an administrator replaces the subscription's plan.
 */
export const overridableMails = [
  'plan_canceled',
  'plan_ended',
  'plan_paused',
  'payment_failed',
  'payment_action_needed',
  'payment_recovered',
] as const satisfies readonly BillingMail['mail'][];
export type BillingMail = z.infer<(typeof billingMailSchemas)[number]>;

/**
 * Campaign content that is the same for all recipients. `body.html` is safe HTML, displayed below `lines`. `body.text`
 * is its plain-text version.
 */
const campaignContentSchema = z.object({
  subject: z.string(),
  topic: z.enum(topics),
  lines: z.array(z.string()),
  body: z.object({ html: z.string(), text: z.string() }).optional(),
  action: z.object({ label: z.string(), url: z.string() }).optional(),
});
export type CampaignContent = z.infer<typeof campaignContentSchema>;

const to = emailSchema;

/**
 * An email, as stored in the outbox. The user is stored separately. Secrets aren't stored, because links are created
 * only when the email is sent. `to`: recipient, if it isn't the user's own email address.
 */
export const mailSchema = z.discriminatedUnion('mail', [
  z.object({ mail: z.literal('welcome') }),
  z.object({ mail: z.literal('verify_email'), next: z.string().optional() }),
  z.object({ mail: z.literal('reset_password') }),
  /** Sent with a link to a person who doesn't have an account. */
  z.object({ mail: z.literal('invitation'), to, id: z.uuid(), role: z.enum(roles).nullable() }),
  z.object({ mail: z.literal('password_changed'), at: time }),
  /** Sent to the new email address, with a link that confirms it. */
  z.object({ mail: z.literal('confirm_new_email'), to }),
  /** Sent to the current email address when a change is requested. */
  z.object({ mail: z.literal('email_change_asked'), newEmail: z.string() }),
  /** Sent to the previous email address after the change. */
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
  /** `says`: error of the first failed attempt. */
  z.object({ mail: z.literal('webhook_failing'), url: z.string(), says: z.string(), at: time }),
  z.object({ mail: z.literal('webhook_disabled'), url: z.string(), reason: z.enum(['gone', 'failing']), at: time }),
  z.object({ mail: z.literal('export_ready'), expiresAt: time }),
  /** `share`: how much of the plan's quota is used, as a percentage. `left` includes granted units. */
  z.object({
    mail: z.literal('quota_warning'),
    share: z.int(),
    meter: z.enum(meters),
    included: z.int(),
    left: z.int(),
    /** Whether processing continues after the quota is used up. */
    goesOn: z.boolean(),
    resetsAt: time,
  }),
  /** Sent when a long batch in the web app ends. `completed` and `failed` count images. */
  z.object({ mail: z.literal('batch_ended'), completed: z.int(), failed: z.int() }),
  ...billingMailSchemas,
  /** Sent to support when someone inquires about Enterprise. */
  z.object({
    mail: z.literal('lead'),
    to,
    name: z.string(),
    email: z.string(),
    company: z.string(),
    volume: z.string(),
    message: z.string(),
  }),
  /** Sent to support when a contact form message arrives. `files`: how many files are attached. */
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
  /** Contains nothing from the message, because the sender may have entered someone else's email address. */
  z.object({ mail: z.literal('ticket_received'), to, ticketId: z.uuid(), number: z.int() }),
  z.object({
    mail: z.literal('ticket_reply'),
    to,
    ticketId: z.uuid(),
    number: z.int(),
    subject: z.string(),
    message: z.string(),
  }),
  /**
   * Contains a confirmation link, but nothing else that was entered, because anyone can enter someone else's email
   * address.
   */
  z.object({ mail: z.literal('confirm_subscription'), to, subscriberId: z.uuid(), topics: z.array(z.enum(topics)) }),
  z.object({ mail: z.literal('campaign_test'), to, campaign: campaignContentSchema }),
  /** Sent to owners when the access log shows anomalies. `more`: how many anomalies aren't listed. */
  z.object({ mail: z.literal('anomalies'), anomalies: z.array(anomalyFactsSchema).min(1), more: z.int() }),
  /**
   * Sent to owners through the mail server that is about to be replaced. `present`: current server and sender. `next`:
   * new server and sender.
   */
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
