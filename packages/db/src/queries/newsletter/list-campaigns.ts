import type { CampaignKind, CampaignSort, CampaignState } from '@uprez/contracts/policy/newsletter';
import { sql } from 'kysely';
import { containing } from '../../containing.ts';
import type { DbOrTx } from '../../database.ts';
import { countRows, type KeysetOrder, type Page, readKeysetPage } from '../../keyset.ts';
import type { CampaignRow } from './campaigns.ts';

export type CampaignFilter = {
  search?: string | undefined;
  state?: CampaignState | undefined;
  kind?: CampaignKind | undefined;
};

/** The emails of a campaign by state. */
export type MailCounts = { sent: number; failed: number; skipped: number; pending: number };
/** `author`: the email address of the administrator. */
export type CampaignWithCounts = CampaignRow & { counts: MailCounts; author: string | null };

const created = { column: 'campaigns.createdAt', type: 'time' } as const;
const orders: Record<CampaignSort, KeysetOrder> = {
  '-created': { ...created, direction: 'desc' },
  created: { ...created, direction: 'asc' },
};

const selectCampaigns = (db: DbOrTx) => db.selectFrom('campaigns').leftJoin('users', 'users.id', 'campaigns.authorId');

function matching(db: DbOrTx, { search, state, kind }: CampaignFilter) {
  let query = selectCampaigns(db);
  if (state) query = query.where('campaigns.state', '=', state);
  if (kind) query = query.where('campaigns.kind', '=', kind);
  return search ? query.where('campaigns.subject', 'ilike', containing(search)) : query;
}

const counts = sql<MailCounts>`(
  select jsonb_build_object(
    'sent', count(*) filter (where state = 'sent'), 'failed', count(*) filter (where state = 'failed'),
    'skipped', count(*) filter (where state = 'skipped'), 'pending', count(*) filter (where state = 'pending'))
  from campaign_mails where campaign_id = campaigns.id)`;

const rowsOf = (query: ReturnType<typeof selectCampaigns>) =>
  query.selectAll('campaigns').select(['users.email as author', counts.as('counts')]);

/** A page of the campaigns. */
export const listCampaigns = (
  db: DbOrTx,
  { sort, after, limit, ...filter }: CampaignFilter & Page & { sort: CampaignSort },
): Promise<(CampaignWithCounts & { sortValue: number })[]> =>
  readKeysetPage(rowsOf(matching(db, filter)), { order: orders[sort], id: 'campaigns.id', after, limit });

export const countCampaigns = (db: DbOrTx, filter: CampaignFilter): Promise<number> => countRows(matching(db, filter));

export const findCampaign = (db: DbOrTx, id: string): Promise<CampaignWithCounts | undefined> =>
  rowsOf(selectCampaigns(db)).where('campaigns.id', '=', id).executeTakeFirst();

/** The latest failed emails of a campaign. `email`: null if the subscriber was deleted. */
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
