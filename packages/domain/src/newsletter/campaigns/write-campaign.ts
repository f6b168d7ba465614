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
/**
 * `version`: version that the administrator edited; undefined allows any. `states`: campaign states that allow the
 * write.
 */
export type CampaignWriting = {
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

/** Changes a campaign like `writeCampaign`, and returns it as shown to administrators. */
export async function writeCampaignAndGet(
  ctx: Needs<'db'>,
  ...[writing, write]: [CampaignWriting, Parameters<typeof writeCampaign>[2]]
): Promise<Campaign> {
  await writeCampaign(ctx, writing, write);
  return await getCampaign(ctx, writing.id);
}

/** Returns the campaign fields recorded in the audit log. */
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

/** Throws `mail_not_configured` if no email can be sent, because emails would stay queued with no visible reason. */
export async function requireMailServer({ settings }: Needs<'settings'>): Promise<void> {
  if (whyPaused(await settings.read('email'))) throw new AppError('mail_not_configured');
}
