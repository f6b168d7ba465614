import { randomUUID } from 'node:crypto';
import type { Db } from '@uprez/db/database';
import { insertCampaign } from '@uprez/db/queries/newsletter/campaigns';
import { startCampaign } from '@uprez/domain/newsletter/sending/start-campaign';
import { sql } from 'kysely';

/** Starts a campaign "News" to all subscribers to news. Returns its ID. */
export const startTestCampaign = (db: Db): Promise<string> =>
  db.transaction().execute(async (tx) => {
    const nothing = { articleId: null, incidentUpdateId: null, sendAt: null, startedAt: null, finishedAt: null };
    const text = { textMd: 'News.', html: '<p>News.</p>', authorId: null };
    const row = await insertCampaign(tx, { id: randomUUID(), kind: 'written', subject: 'News', ...text, ...nothing });
    if (!row) throw new Error('no campaign');
    await startCampaign(tx, row);
    return row.id;
  });

/** Returns how many emails of campaigns are in a state. */
export async function countCampaignMails(db: Db, state: 'sent' | 'pending'): Promise<number> {
  const query = db.selectFrom('campaignMails').select(sql<number>`count(*)`.as('n')).where('state', '=', state);
  return Number((await query.executeTakeFirstOrThrow()).n);
}
