import { AppError } from '@uprez/contracts/errors/app-error';
import type { Campaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import { skipCampaignMails } from '@uprez/db/queries/newsletter/campaign-mails';
import { updateCampaign } from '@uprez/db/queries/newsletter/campaigns';
import { now, readClock } from '@uprez/db/times';
import type { Administrator } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { startCampaign } from '../sending/start-campaign.ts';
import { requireCampaignArticle, requireMailServer, writeCampaignAndGet } from './write-campaign.ts';

type MoveInput = { admin: Administrator; id: string };
type SeenCampaign = MoveInput & { version: number };
const waitingStates = ['draft', 'scheduled'] as const;
const runningStates = ['sending', 'paused'] as const;

/**
 * Schedules the start of a campaign. Throws `campaign_not_found`, `campaign_state`, `campaign_changed`,
 * `campaign_article_hidden`, `mail_not_configured`, or `invalid_parameter` for a time in the past.
 */
export async function scheduleCampaign(
  ctx: Needs<'db' | 'settings'>,
  { sendAt: at, ...seen }: SeenCampaign & { sendAt: string },
): Promise<Campaign> {
  await requireMailServer(ctx);
  return await writeCampaignAndGet(
    ctx,
    { ...seen, action: 'campaign.schedule', states: waitingStates },
    async (tx, held) => {
      await requireCampaignArticle(tx, held);
      const sendAt = new Date(at);
      if (sendAt <= (await readClock(tx)))
        throw new AppError('invalid_parameter', { param: 'sendAt', detail: 'The time must be in the future.' });
      return await updateCampaign(tx, held.id, { state: 'scheduled', sendAt });
    },
  );
}

/** Starts sending a campaign. Throws the errors of `scheduleCampaign` except `invalid_parameter`. */
export async function sendCampaign(ctx: Needs<'db' | 'settings'>, seen: SeenCampaign): Promise<Campaign> {
  await requireMailServer(ctx);
  return await writeCampaignAndGet(
    ctx,
    { ...seen, action: 'campaign.send', states: waitingStates },
    async (tx, held) => {
      await requireCampaignArticle(tx, held);
      return await startCampaign(tx, held);
    },
  );
}

/** Pauses a campaign that is being sent. Throws `campaign_not_found` or `campaign_state`. */
export const pauseCampaign = (ctx: Needs<'db'>, step: MoveInput): Promise<Campaign> =>
  writeCampaignAndGet(ctx, { ...step, action: 'campaign.pause', states: ['sending'] }, (tx, { id }) =>
    updateCampaign(tx, id, { state: 'paused' }),
  );

/** Resumes a paused campaign. Throws `campaign_not_found`, `campaign_state`, or `campaign_article_hidden`. */
export const resumeCampaign = (ctx: Needs<'db'>, step: MoveInput): Promise<Campaign> =>
  writeCampaignAndGet(ctx, { ...step, action: 'campaign.resume', states: ['paused'] }, async (tx, held) => {
    await requireCampaignArticle(tx, held);
    return await updateCampaign(tx, held.id, { state: 'sending' });
  });

/**
 * Returns a scheduled campaign to draft, or cancels one that has started. Throws `campaign_not_found` or
 * `campaign_state`.
 */
export const cancelCampaign = (ctx: Needs<'db'>, step: MoveInput): Promise<Campaign> =>
  writeCampaignAndGet(
    ctx,
    { ...step, action: 'campaign.cancel', states: ['scheduled', ...runningStates] },
    async (tx, held) => {
      if (held.state === 'scheduled') return await updateCampaign(tx, held.id, { state: 'draft', sendAt: null });
      await skipCampaignMails(tx, [held.id]);
      return await updateCampaign(tx, held.id, { state: 'cancelled', finishedAt: now });
    },
  );
