import type { Tx } from '@uprez/db/database';
import { insertCampaignMails, skipCampaignMails } from '@uprez/db/queries/newsletter/campaign-mails';
import {
  type CampaignRow,
  lockDueCampaign,
  lockOldIncidentCampaigns,
  updateCampaign,
} from '@uprez/db/queries/newsletter/campaigns';
import { now } from '@uprez/db/times';
import type { Needs } from '../../context.ts';

/** Starts sending a locked campaign to everyone who currently subscribes to news. */
export async function startCampaign(tx: Tx, { id }: CampaignRow): Promise<CampaignRow> {
  await insertCampaignMails(tx, id, { topic: 'news' });
  return await updateCampaign(tx, id, { state: 'sending', sendAt: null, startedAt: now });
}

export async function startDueCampaigns({ db }: Needs<'db'>): Promise<void> {
  for (let found = true; found; )
    found = await db.transaction().execute(async (tx) => {
      const due = await lockDueCampaign(tx);
      if (due) await startCampaign(tx, due);
      return due !== undefined;
    });
}

/**
 * Maximum age of a campaign about an incident update, in seconds. An outage of the mail server can delay emails up to
 * this limit.
 */
const maxIncidentAgeS = 86_400;

/** Cancels unfinished campaigns about outdated incident updates. */
export const cancelOldIncidentCampaigns = ({ db }: Needs<'db'>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const ids = await lockOldIncidentCampaigns(tx, maxIncidentAgeS);
    await skipCampaignMails(tx, ids);
    for (const id of ids) await updateCampaign(tx, id, { state: 'cancelled', finishedAt: now });
  });
