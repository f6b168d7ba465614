import type { LeadSort, LeadState } from '@uprez/contracts/policy/leads';
import { type SqlBool, sql } from 'kysely';
import { containing } from '../../containing.ts';
import type { DbOrTx } from '../../database.ts';
import { countRows, type KeysetOrder, type Page, readKeysetPage } from '../../keyset.ts';
import type { LeadRow } from './leads.ts';

export type LeadFilter = { search?: string | undefined; status?: LeadState | undefined };

const created = { column: 'createdAt', type: 'time' } as const;
const orders: Record<LeadSort, KeysetOrder> = {
  '-created': { ...created, direction: 'desc' },
  created: { ...created, direction: 'asc' },
};

/** The expression is that of the index `leads_text`. */
function matching(db: DbOrTx, { search, status }: LeadFilter) {
  let query = db.selectFrom('leads');
  if (status) query = query.where('linkSentAt', status === 'sent' ? 'is not' : 'is', null);
  if (!search) return query;
  return query.where(sql<SqlBool>`lower(name || ' ' || email || ' ' || company) like lower(${containing(search)})`);
}

/** A page of the leads. */
export function listLeads(
  db: DbOrTx,
  { sort, after, limit, ...filter }: LeadFilter & Page & { sort: LeadSort },
): Promise<(LeadRow & { sortValue: number })[]> {
  return readKeysetPage(matching(db, filter).selectAll(), { order: orders[sort], id: 'id', after, limit });
}

export const countLeads = (db: DbOrTx, filter: LeadFilter): Promise<number> => countRows(matching(db, filter));
