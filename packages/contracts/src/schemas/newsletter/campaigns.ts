import * as z from 'zod';
import { limits } from '../../policy/limits.ts';
import { campaignKinds, campaignStates, newsletterLimits } from '../../policy/newsletter.ts';
import { makeFilterFields, tablePageFields } from '../admin/table.ts';
import { storedTextSchema } from '../stored-text.ts';
import { timeSchema } from '../time.ts';
import { lineSchema, requiredLineSchema, toNameSchema } from '../user.ts';

const { subjectLength, textLength } = newsletterLimits;

export const campaignRowSchema = z.object({
  id: z.uuid(),
  kind: z.enum(campaignKinds),
  subject: z.string(),
  state: z.enum(campaignStates),
  /** When a scheduled campaign will start. */
  sendAt: z.iso.datetime().nullable(),
  startedAt: z.iso.datetime().nullable(),
  /** When the last email was sent, or when the campaign was canceled. */
  finishedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  /** Null if the status page created the campaign, or if the author's account was deleted. */
  author: z.object({ email: z.string() }).nullable(),
  /**
   * Before the campaign starts, how many subscribers would get it now. Afterward, the sum of `sent`, `failed`,
   * `skipped`, and `pending`.
   */
  recipients: z.int(),
  sent: z.int(),
  failed: z.int(),
  /** Recipients who unsubscribed before their email was sent, or whose email was canceled. */
  skipped: z.int(),
  pending: z.int(),
});
export type CampaignRow = z.infer<typeof campaignRowSchema>;

/** `email` is null if the subscriber was deleted. */
export const campaignFailureSchema = z.object({
  email: z.string().nullable(),
  reason: z.string(),
  attempts: z.int(),
  at: z.iso.datetime(),
});

export const campaignSchema = campaignRowSchema.extend({
  /** Changes with each edit. Prevents overwriting another administrator's changes. */
  version: z.int(),
  text: z.string(),
  /** `text` as safe HTML. */
  html: z.string(),
  /** Post that the campaign announces. While the post isn't published, no emails are sent. */
  article: z.object({ id: z.uuid(), title: z.string(), excerpt: z.string(), isPublished: z.boolean() }).nullable(),
  incident: z.object({ id: z.uuid(), title: z.string() }).nullable(),
  failures: z.array(campaignFailureSchema),
});
export type Campaign = z.infer<typeof campaignSchema>;

export const campaignsQuerySchema = z.object({
  search: lineSchema.max(limits.searchLength).optional(),
  ...makeFilterFields('campaigns'),
  ...tablePageFields,
});

const subjectSchema = toNameSchema(requiredLineSchema('Subject is required')).max(
  subjectLength,
  `Subject can't be longer than ${subjectLength} characters.`,
);
const textSchema = storedTextSchema
  .max(textLength, `Text can't be longer than ${textLength} characters.`)
  .refine((text) => text.trim() !== '', 'Text is required');

/**
 * Either `articleId`, or `subject` and `text` (Markdown). With `articleId`, the subject defaults to the post's title.
 */
export const createCampaignBodySchema = z
  .strictObject({ articleId: z.uuid().optional(), subject: subjectSchema.optional(), text: textSchema.optional() })
  .refine(({ articleId, subject }) => articleId !== undefined || subject !== undefined, {
    path: ['subject'],
    error: 'Subject is required',
  })
  .refine(({ articleId, text }) => articleId !== undefined || text !== undefined, {
    path: ['text'],
    error: 'Text is required',
  })
  .refine(({ articleId, text }) => articleId === undefined || text === undefined, {
    path: ['text'],
    error: 'The text of a post comes from the post. Remove it.',
  });
export type NewCampaign = z.output<typeof createCampaignBodySchema>;

/** `version`: version that was last read. */
export const campaignVersionSchema = z.strictObject({ version: z.int() });
/** `text`: only for written campaigns. */
export const updateCampaignBodySchema = campaignVersionSchema
  .extend({ subject: subjectSchema.optional(), text: textSchema.optional() })
  .refine(({ subject, text }) => subject !== undefined || text !== undefined, 'Send the field to change.');
export type CampaignChanges = z.output<typeof updateCampaignBodySchema>;
export const scheduleCampaignBodySchema = campaignVersionSchema.extend({ sendAt: timeSchema });

export const testedCampaignSchema = z.object({ to: z.string() });
