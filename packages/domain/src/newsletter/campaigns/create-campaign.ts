import { AppError } from '@uprez/contracts/errors/app-error';
import { newsletterLimits } from '@uprez/contracts/policy/newsletter';
import type { Campaign, CampaignChanges, NewCampaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import type { DbOrTx } from '@uprez/db/database';
import {
  deleteCampaign as deleteRow,
  findCampaignArticle,
  insertCampaign,
  updateCampaign as updateRow,
} from '@uprez/db/queries/newsletter/campaigns';
import type { LibraryFiles } from '@uprez/markup/library-files';
import { uuidv7 } from 'uuidv7';
import type { Administrator } from '../../admin/administrator.ts';
import { writeAudited } from '../../admin/payments/write-audited.ts';
import { renderText } from '../../content/text/render-text.ts';
import type { Needs } from '../../context.ts';
import { getCampaign } from './get-campaign.ts';
import { toAuditFields, writeCampaign, writeCampaignAndGet } from './write-campaign.ts';

type Columns = {
  kind: 'written' | 'article';
  subject: string;
  articleId: string | null;
  textMd?: string;
  html?: string;
};

/**
 * Creates a draft campaign from a published post or from a text. Throws `campaign_exists` if the post already has a
 * campaign, `markup_invalid`, or `invalid_parameter` for a post that isn't published.
 */
export async function createCampaign(
  ctx: Needs<'db'>,
  { admin, campaign }: { admin: Administrator; campaign: NewCampaign },
): Promise<Campaign> {
  const columns = await toColumns(ctx.db, campaign);
  const id = uuidv7();
  await writeAudited(ctx, { admin, action: 'campaign.create', subject: `campaign:${id}` }, async (tx) => {
    const row = { id, sendAt: null, startedAt: null, finishedAt: null, incidentUpdateId: null };
    const created = await insertCampaign(tx, { ...row, ...columns, authorId: admin.accountId });
    if (!created) throw new AppError('campaign_exists', { param: 'articleId' });
    return { result: undefined, before: {}, after: toAuditFields(created) };
  });
  return await getCampaign(ctx, id);
}

async function toColumns(db: DbOrTx, { articleId, subject, text }: NewCampaign): Promise<Columns> {
  if (articleId === undefined)
    return { kind: 'written', articleId: null, subject: subject ?? '', ...(await render(text ?? '')) };
  const article = await findCampaignArticle(db, articleId);
  if (!article?.isPublished)
    throw new AppError('invalid_parameter', { param: 'articleId', detail: 'Choose a published post.' });
  const title = article.title.slice(0, newsletterLimits.subjectLength);
  return { kind: 'article', articleId: article.id, subject: subject ?? title };
}

/** Emails can't use files of the media library, because sent emails outlive deleted files. */
const noFiles: LibraryFiles = new Map();

/** Renders the text of a campaign. Throws `markup_invalid`. */
async function render(text: string): Promise<{ textMd: string; html: string }> {
  const { html } = await renderText(text, noFiles).catch((error: unknown) => {
    throw error instanceof AppError ? error.with({ param: 'text' }) : error;
  });
  return { textMd: text, html };
}

type Change = { admin: Administrator; id: string };

/** Changes a draft. Throws `campaign_not_found`, `campaign_state`, `campaign_changed`, `markup_invalid`, `invalid_parameter`. */
export async function updateCampaign(
  ctx: Needs<'db'>,
  { admin, id, changes: { version, subject, text } }: Change & { changes: CampaignChanges },
): Promise<Campaign> {
  // Rendering takes seconds, so it is done before the transaction.
  const rendered = text === undefined ? {} : await render(text);
  const writing = { admin, id, action: 'campaign.update', version, states: ['draft'] } as const;
  return await writeCampaignAndGet(ctx, writing, async (tx, held) => {
    if (text !== undefined && held.kind !== 'written')
      throw new AppError('invalid_parameter', { param: 'text', detail: 'The text of a post comes from the post.' });
    const changes = { ...rendered, ...(subject !== undefined && { subject }), version: held.version + 1 };
    return await updateRow(tx, held.id, changes);
  });
}

/** Deletes a draft. Throws `campaign_not_found` or `campaign_state`. */
export const deleteCampaign = (ctx: Needs<'db'>, { admin, id }: Change): Promise<void> =>
  writeCampaign(ctx, { admin, id, action: 'campaign.delete', states: ['draft'] }, async (tx, held) => {
    await deleteRow(tx, held.id);
    return undefined;
  });
