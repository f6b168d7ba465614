import * as z from 'zod';
import { limits } from '../../policy/limits.ts';
import { campaignKinds, campaignStates, newsletterLimits } from '../../policy/newsletter.ts';
import { makeFilterFields, tablePageFields } from '../admin/table.ts';
import { storedTextSchema } from '../stored-text.ts';
import { timeSchema } from '../time.ts';
import { lineSchema, requiredLineSchema, toNameSchema } from '../user.ts';

const { subjectLength, textLength } = newsletterLimits;

/** A campaign in the list. */
export const campaignRowSchema = z.object({
  id: z.uuid(),
  kind: z.enum(campaignKinds),
  subject: z.string(),
  state: z.enum(campaignStates),
  /** When a scheduled campaign starts. */
  sendAt: z.iso.datetime().nullable(),
  startedAt: z.iso.datetime().nullable(),
  /** When the last email was sent, or the campaign was canceled. */
  finishedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  /** Null for campaigns of the status page and deleted accounts. */
  author: z.object({ email: z.string() }).nullable(),
  /**
   * Before the start, the number of subscribers who would get the campaign now. Afterward, sent + failed + skipped +
   * pending.
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
  /** Changes with each edit. */
  version: z.int(),
  /** The Markdown text of a written campaign. */
  text: z.string(),
  /** The text as safe HTML. */
  html: z.string(),
  /** Post that the campaign announces. Nothing is sent while the post isn't published. */
  article: z.object({ id: z.uuid(), title: z.string(), excerpt: z.string(), isPublished: z.boolean() }).nullable(),
  /** Incident whose update was sent. */
  incident: z.object({ id: z.uuid(), title: z.string() }).nullable(),
  /** The latest failed emails. */
  failures: z.array(campaignFailureSchema),
});
export type Campaign = z.infer<typeof campaignSchema>;

export const campaignsQuerySchema = z.object({
  /** Matches part of the subject. */
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

/** Either a post, whose title is the default subject, or a subject and a Markdown text. */
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
/** `text`: for written campaigns only. */
export const updateCampaignBodySchema = campaignVersionSchema
  .extend({ subject: subjectSchema.optional(), text: textSchema.optional() })
  .refine(({ subject, text }) => subject !== undefined || text !== undefined, 'Send the field to change.');
export type CampaignChanges = z.output<typeof updateCampaignBodySchema>;
export const scheduleCampaignBodySchema = campaignVersionSchema.extend({ sendAt: timeSchema });

/** The email address to which a test was sent. */
export const testedCampaignSchema = z.object({ to: z.string() });
