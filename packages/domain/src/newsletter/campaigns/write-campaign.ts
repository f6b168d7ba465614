import { AppError } from '@uprez/contracts/errors/app-error';
import { type CampaignState, newsletterLimits } from '@uprez/contracts/policy/newsletter';
import type { Campaign, CampaignChanges, NewCampaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import type { AuditAction } from '@uprez/contracts/texts/admin/audit-actions';
import type { DbOrTx, Tx } from '@uprez/db/database';
import {
  type CampaignRow,
  deleteCampaign as deleteRow,
  findCampaignArticle,
  insertCampaign,
  lockCampaign,
  updateCampaign as updateRow,
} from '@uprez/db/queries/newsletter/campaigns';
import type { LibraryFiles } from '@uprez/markup/describe-problem';
import { uuidv7 } from 'uuidv7';
import { getByUuid } from '../../actor.ts';
import type { Administrator } from '../../admin/administrator.ts';
import { writeAudited } from '../../admin/payments/write-audited.ts';
import { renderText } from '../../content/text/render-text.ts';
import type { Needs } from '../../context.ts';
import { findPauseReason } from '../../mails/queue-mail.ts';
import { getCampaign } from './get-campaign.ts';

type Columns = {
  kind: 'written' | 'article';
  subject: string;
  articleId: string | null;
  textMd?: string;
  html?: string;
};

/**
 * Creates a draft campaign from a published post or from its own text. Throws `campaign_exists` if the post already has
 * a campaign, `markup_invalid`, or `invalid_parameter` for a post that isn't published.
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

/** Campaigns can't use files from the media library, because sent emails outlive deleted files. */
const noFiles: LibraryFiles = new Map();

/** Throws `markup_invalid`. */
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

type CampaignAction = Extract<AuditAction, `campaign.${string}`>;
/**
 * `version`: version that the administrator edited. Undefined allows a change to any version. `states`: states in which
 * the campaign can be changed.
 */
type CampaignWrite = {
  admin: Administrator;
  id: string;
  action: CampaignAction;
  version?: number | undefined;
  states: readonly CampaignState[];
};

/**
 * Changes a locked campaign and records it in the audit log. `write` returns the campaign, or undefined after deleting
 * it. Throws `campaign_not_found`, `campaign_state`, `campaign_changed`, and the errors of `write`.
 */
const writeCampaign = (
  ctx: Needs<'db'>,
  { admin, id, action, version, states }: CampaignWrite,
  write: (tx: Tx, campaign: CampaignRow) => Promise<CampaignRow | undefined>,
): Promise<void> =>
  writeAudited(ctx, { admin, action, subject: `campaign:${id.toLowerCase()}` }, async (tx) => {
    const held = await getByUuid(id, () => lockCampaign(tx, id), 'campaign_not_found');
    if (!states.includes(held.state)) throw new AppError('campaign_state');
    if (version !== undefined && version !== held.version) throw new AppError('campaign_changed');
    const after = await write(tx, held);
    return { result: undefined, before: toAuditFields(held), after: after ? toAuditFields(after) : {} };
  });

/** Changes a campaign like `writeCampaign`, and returns it as shown to administrators. */
export async function writeCampaignAndGet(
  ctx: Needs<'db'>,
  ...[writing, write]: [CampaignWrite, Parameters<typeof writeCampaign>[2]]
): Promise<Campaign> {
  await writeCampaign(ctx, writing, write);
  return await getCampaign(ctx, writing.id);
}

export const toAuditFields = ({ subject, state, sendAt }: CampaignRow) => ({
  subject,
  state,
  sendAt: sendAt?.toISOString() ?? null,
});

/** Throws `campaign_article_hidden` if the post of a campaign isn't published. */
export async function requireCampaignArticle(tx: Tx, { kind, articleId }: CampaignRow): Promise<void> {
  if (kind !== 'article') return;
  const article = articleId === null ? undefined : await findCampaignArticle(tx, articleId);
  if (!article?.isPublished) throw new AppError('campaign_article_hidden');
}

/** Throws `mail_not_configured` if email can't be sent. Otherwise, emails would stay queued with no visible reason. */
export async function requireMailServer({ settings }: Needs<'settings'>): Promise<void> {
  if (findPauseReason(await settings.read('email'))) throw new AppError('mail_not_configured');
}
