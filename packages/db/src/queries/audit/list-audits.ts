import type { AuditOutcome, AuditSort } from '@uprez/contracts/policy/admin/audit';
import type { AuditGroup } from '@uprez/contracts/texts/admin/audit-actions';
import { type Selectable, type SqlBool, sql } from 'kysely';
import { containsPattern, hasText } from '../../conditions.ts';
import type { DbOrTx } from '../../database.ts';
import { countRows, type KeysetOrder, type Page, readKeysetPage } from '../../keyset.ts';
import type { AuditsTable } from '../../tables/account-tables.ts';

export type AuditRow = Selectable<AuditsTable>;
/** `from` and `to`: the first and the last day, UTC. */
export type AuditFilter = {
  search?: string | undefined;
  actor?: string | undefined;
  group?: AuditGroup | undefined;
  subject?: string | undefined;
  /** ID of an account. Matches rows about the account and about anything that belongs to it. */
  account?: string | undefined;
  outcome?: AuditOutcome | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

const created = { column: 'audits.createdAt', type: 'time' } as const;
const orders: Record<AuditSort, KeysetOrder> = {
  '-created': { ...created, direction: 'desc' },
  created: { ...created, direction: 'asc' },
};

const startOf = (day: string) => sql<Date>`(${day}::date)::timestamp at time zone 'UTC'`;
const endOf = (day: string) => sql<Date>`(${day}::date + 1)::timestamp at time zone 'UTC'`;

/** Whether a row's columns, its actor, or its account contain a search string. */
const hasSearched = (search: string) => sql<SqlBool>`(
  lower(concat_ws(' ', audits.subject, audits.reason, audits.address, audits.request_id, audits.actor_email))
    like lower(${containsPattern(search)})
  or audits.actor_id in (select id from users where ${hasText(search, false)})
  or audits.account_id in (select id from users where ${hasText(search, false)}))`;

function matching(db: DbOrTx, { search, actor, group, subject, account, outcome, from, to }: AuditFilter) {
  let query = db.selectFrom('audits');
  if (actor) query = query.where('audits.actorId', '=', actor);
  if (group) query = query.where(sql`split_part(audits.action, '.', 1)`, '=', group);
  if (subject) query = query.where('audits.subject', '=', subject);
  if (account) query = query.where('audits.accountId', '=', account);
  if (outcome) query = query.where('audits.rejected', outcome === 'rejected' ? 'is not' : 'is', null);
  if (from) query = query.where('audits.createdAt', '>=', startOf(from));
  if (to) query = query.where('audits.createdAt', '<', endOf(to));
  return search ? query.where(hasSearched(search)) : query;
}

/** Lists a page of the audit log. */
export function listAudits(
  db: DbOrTx,
  { sort, after, limit, ...filter }: AuditFilter & Page & { sort: AuditSort },
): Promise<(AuditRow & { sortValue: number })[]> {
  const page = { order: orders[sort], id: 'audits.id', after, limit };
  return readKeysetPage(matching(db, filter).selectAll('audits'), page);
}

export const countAudits = (db: DbOrTx, filter: AuditFilter): Promise<number> => countRows(matching(db, filter));

export const listAuditsById = (db: DbOrTx, ids: readonly string[]): Promise<AuditRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.selectFrom('audits').selectAll().where('id', 'in', ids).execute();

/** Lists the names and email addresses of accounts. */
export const listNames = (db: DbOrTx, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('users').select(['id', 'email', 'firstName', 'lastName']).where('id', 'in', ids).execute();

/** Returns the latest of these changes to a subject, with the actor's email address. Rejected changes don't count. */
export const findLatestChange = (db: DbOrTx, { subject, actions }: { subject: string; actions: readonly string[] }) =>
  db
    .selectFrom('audits')
    .leftJoin('users', 'users.id', 'audits.actorId')
    .select(['audits.after', 'audits.createdAt', 'users.email'])
    .where('subject', '=', subject)
    .where('action', 'in', actions)
    .where('rejected', 'is', null)
    .orderBy('audits.createdAt', 'desc')
    .orderBy('audits.id', 'desc')
    .limit(1)
    .executeTakeFirst();
