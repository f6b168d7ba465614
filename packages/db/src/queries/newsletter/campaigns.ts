import type { CampaignKind, CampaignSort, CampaignState } from '@uprez/contracts/policy/newsletter';
import { type InsertObject, type Selectable, sql, type UpdateObject } from 'kysely';
import { containsPattern } from '../../conditions.ts';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../keyset.ts';
import type { CampaignsTable } from '../../tables/newsletter-tables.ts';
import { afterSeconds, now } from '../../times.ts';

export type CampaignRow = Selectable<CampaignsTable>;
type CampaignChanges = UpdateObject<Tables, 'campaigns', 'campaigns'>;

/** Inserts a campaign. Returns undefined if the article or incident update already has one. */
export const insertCampaign = (tx: Tx, row: InsertObject<Tables, 'campaigns'>): Promise<CampaignRow | undefined> =>
  tx
    .insertInto('campaigns')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export const findCampaignRow = (db: DbOrTx, id: string): Promise<CampaignRow | undefined> =>
  db.selectFrom('campaigns').selectAll().where('id', '=', id).executeTakeFirst();

export const lockCampaign = (tx: Tx, id: string): Promise<CampaignRow | undefined> =>
  tx.selectFrom('campaigns').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export const updateCampaign = (tx: Tx, id: string, changes: CampaignChanges): Promise<CampaignRow> =>
  tx.updateTable('campaigns').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow();

export async function deleteCampaign(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('campaigns').where('id', '=', id).execute();
}

/** Locks a scheduled campaign that is due. Concurrent processes lock different campaigns. */
export const lockDueCampaign = (tx: Tx): Promise<CampaignRow | undefined> =>
  tx
    .selectFrom('campaigns')
    .selectAll()
    .where('state', '=', 'scheduled')
    .where('sendAt', '<=', now)
    .orderBy('sendAt')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();

/** Marks campaigns without pending emails as sent. */
export async function completeCampaigns(db: DbOrTx): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ state: 'sent', finishedAt: now })
    .where('state', '=', 'sending')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('campaignMails')
            .select('campaignId')
            .whereRef('campaignId', '=', 'campaigns.id')
            .where('state', '=', 'pending'),
        ),
      ),
    )
    .execute();
}

/** Locks incident campaigns that started more than `ageS` seconds ago and haven't ended. Returns their IDs. */
export async function lockOldIncidentCampaigns(tx: Tx, ageS: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('campaigns')
    .select('id')
    .where('kind', '=', 'incident')
    .where('state', 'in', ['sending', 'paused'])
    .where('startedAt', '<', afterSeconds(-ageS))
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Pauses a campaign that is being sent. Returns false if the campaign isn't being sent. */
export async function pauseCampaign(db: DbOrTx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('campaigns')
    .set({ state: 'paused' })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns a campaign's post, and whether the post is public. */
export const findCampaignArticle = (db: DbOrTx, id: string) =>
  db
    .selectFrom('articles')
    .select(['id', 'title', 'slug', 'excerpt'])
    .select(sql<boolean>`status = 'published' and deleted_at is null`.as('isPublished'))
    .where('id', '=', id)
    .where('kind', '=', 'post')
    .executeTakeFirst();

/** Returns the incident update that a campaign is about, with its incident. */
export const findCampaignUpdate = (db: DbOrTx, updateId: string) =>
  db
    .selectFrom('incidentUpdates as update')
    .innerJoin('incidents as incident', 'incident.id', 'update.incidentId')
    .select(['incident.id', 'incident.title', 'incident.severity', 'incident.startsAt', 'incident.endsAt'])
    .select(['update.text', 'update.state'])
    .where('update.id', '=', updateId)
    .executeTakeFirst();

export type CampaignFilter = {
  search?: string | undefined;
  state?: CampaignState | undefined;
  kind?: CampaignKind | undefined;
};

type MailCounts = { sent: number; failed: number; skipped: number; pending: number };
/** `author`: email address of the administrator who created the campaign. */
export type CampaignWithCounts = CampaignRow & { counts: MailCounts; author: string | null };

const orders = makeOrders({ created: { column: 'campaigns.createdAt', type: 'time' } });

const selectCampaigns = (db: DbOrTx) => db.selectFrom('campaigns').leftJoin('users', 'users.id', 'campaigns.authorId');

function selectMatchingCampaigns(db: DbOrTx, { search, state, kind }: CampaignFilter) {
  let query = selectCampaigns(db);
  if (state) query = query.where('campaigns.state', '=', state);
  if (kind) query = query.where('campaigns.kind', '=', kind);
  return search ? query.where('campaigns.subject', 'ilike', containsPattern(search)) : query;
}

const mailCounts = sql<MailCounts>`(
  select jsonb_build_object(
    'sent', count(*) filter (where state = 'sent'), 'failed', count(*) filter (where state = 'failed'),
    'skipped', count(*) filter (where state = 'skipped'), 'pending', count(*) filter (where state = 'pending'))
  from campaign_mails where campaign_id = campaigns.id)`;

const selectRowColumns = (query: ReturnType<typeof selectCampaigns>) =>
  query.selectAll('campaigns').select(['users.email as author', mailCounts.as('counts')]);

export const listCampaigns = (
  db: DbOrTx,
  { sort, after, limit, ...filter }: CampaignFilter & Page & { sort: CampaignSort },
): Promise<(CampaignWithCounts & { sortValue: number })[]> =>
  readKeysetPage(selectRowColumns(selectMatchingCampaigns(db, filter)), {
    order: orders[sort],
    id: 'campaigns.id',
    after,
    limit,
  });

export const countCampaigns = (db: DbOrTx, filter: CampaignFilter): Promise<number> =>
  countRows(selectMatchingCampaigns(db, filter));

export const findCampaign = (db: DbOrTx, id: string): Promise<CampaignWithCounts | undefined> =>
  selectRowColumns(selectCampaigns(db)).where('campaigns.id', '=', id).executeTakeFirst();

/** Lists the latest failed emails of a campaign. `email` is null if the subscriber was deleted. */
export const listFailedMails = (db: DbOrTx, campaignId: string, limit: number) =>
  db
    .selectFrom('campaignMails as mail')
    .leftJoin('subscribers', 'subscribers.id', 'mail.subscriberId')
    .select(['subscribers.email', 'mail.attempts', 'mail.lastError', 'mail.endedAt'])
    .where('mail.campaignId', '=', campaignId)
    .where('mail.state', '=', 'failed')
    .orderBy('mail.endedAt', 'desc')
    .orderBy('mail.subscriberId')
    .limit(limit)
    .execute();
