import type { SubscriberSort, SubscriberState, Topic } from '@uprez/contracts/policy/newsletter';
import { type SqlBool, sql } from 'kysely';
import { containing } from '../../containing.ts';
import type { DbOrTx } from '../../database.ts';
import { countRows, type KeysetOrder, type Page, readKeysetPage } from '../../keyset.ts';
import type { SubscriberRow } from './subscribers.ts';

/** `isMasked`: email addresses must not be found by their parts. */
export type SubscriberFilter = {
  search?: string | undefined;
  state?: SubscriberState | undefined;
  topic?: Topic | undefined;
  isMasked?: boolean | undefined;
};

const created = { column: 'createdAt', type: 'time' } as const;
const orders: Record<SubscriberSort, KeysetOrder> = {
  '-created': { ...created, direction: 'desc' },
  created: { ...created, direction: 'asc' },
};

/** The expression of the search is that of the index `subscribers_text`. */
function matching(db: DbOrTx, { search, state, topic, isMasked }: SubscriberFilter) {
  let query = db.selectFrom('subscribers');
  if (state) query = query.where('state', '=', state);
  if (topic)
    query = query.where(sql<SqlBool>`${topic} = any(case when state = 'pending' then wanted_topics else topics end)`);
  if (!search) return query;
  if (isMasked) return query.where(sql<SqlBool>`false`);
  return query.where(sql<SqlBool>`lower(email) like lower(${containing(search)})`);
}

/** A page of the subscribers. */
export const listSubscribers = (
  db: DbOrTx,
  { sort, after, limit, ...filter }: SubscriberFilter & Page & { sort: SubscriberSort },
): Promise<(SubscriberRow & { sortValue: number })[]> =>
  readKeysetPage(matching(db, filter).selectAll(), { order: orders[sort], id: 'id', after, limit });

export const countSubscribers = (db: DbOrTx, filter: SubscriberFilter): Promise<number> =>
  countRows(matching(db, filter));
