import { AppError } from '@uprez/contracts/errors/app-error';
import type { CampaignState } from '@uprez/contracts/policy/newsletter';
import type { Campaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import type { AuditAction } from '@uprez/contracts/texts/admin/audit-actions';
import type { Tx } from '@uprez/db/database';
import { type CampaignRow, findCampaignArticle, lockCampaign } from '@uprez/db/queries/newsletter/campaigns';
import { isUuid } from '../../actor.ts';
import type { Administrator } from '../../admin/administrator.ts';
import { writeAudited } from '../../admin/payments/write-audited.ts';
import type { Needs } from '../../context.ts';
import { whyPaused } from '../../mails/queue-mail.ts';
import { getCampaign } from './get-campaign.ts';

export type CampaignAction = Extract<AuditAction, `campaign.${string}`>;
/** `version`: the one that the administrator saw; undefined: any. `states`: those in which the write is possible. */
export type CampaignWriting = {
  admin: Administrator;
  id: string;
  action: CampaignAction;
  version?: number | undefined;
  states: readonly CampaignState[];
};

/**
 * Writes to a locked campaign with a row of the audit log. `write` returns the campaign, undefined after its deletion. Throws
 * `campaign_not_found`, `campaign_state`, `campaign_changed`, and the errors of `write`.
 */
export const writeCampaign = (
  ctx: Needs<'db'>,
  { admin, id, action, version, states }: CampaignWriting,
  write: (tx: Tx, campaign: CampaignRow) => Promise<CampaignRow | undefined>,
): Promise<void> =>
  writeAudited(ctx, { admin, action, subject: `campaign:${id.toLowerCase()}` }, async (tx) => {
    const held = isUuid(id) ? await lockCampaign(tx, id) : undefined;
    if (!held) throw new AppError('campaign_not_found');
    if (!states.includes(held.state)) throw new AppError('campaign_state');
    if (version !== undefined && version !== held.version) throw new AppError('campaign_changed');
    const after = await write(tx, held);
    return { result: undefined, before: toAuditFields(held), after: after ? toAuditFields(after) : {} };
  });

/** The same, and returns the campaign as administrators see it. */
export async function writeCampaignAndGet(
  ctx: Needs<'db'>,
  ...[writing, write]: [CampaignWriting, Parameters<typeof writeCampaign>[2]]
): Promise<Campaign> {
  await writeCampaign(ctx, writing, write);
  return await getCampaign(ctx, writing.id);
}

/** What the audit log says about a campaign. */
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

/** Throws `mail_not_configured`, because emails would wait without anyone seeing why. */
export async function requireMailServer({ settings }: Needs<'settings'>): Promise<void> {
  if (whyPaused(await settings.read('email'))) throw new AppError('mail_not_configured');
}
