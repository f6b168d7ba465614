import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { AuditOutcome, AuditSort } from '@uprez/contracts/policy/admin/logs';
import type { AuditGroup } from '@uprez/contracts/texts/admin/audit-actions';
import { maskEmail } from '@uprez/contracts/texts/mask-email';
import { type Selectable, type SqlBool, sql } from 'kysely';
import { containsPattern, hasText } from '../../conditions.ts';
import type { DbOrTx, Tx } from '../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../keyset.ts';
import type { AuditsTable } from '../../tables/account-tables.ts';
import { startOf } from '../../times.ts';
import { findSubjectAccount } from './audit-subjects.ts';

/**
 * `actorId`: null for an operator's command. `accountId`: the subject's account. Required if the write deleted the
 * subject, because it can't be looked up anymore. `rejected`: error code of a rejected write.
 */
export type AuditEntry = {
  actorId: string | null;
  action: string;
  subject: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason?: string | undefined;
  address?: string | undefined;
  requestId?: string | undefined;
  accountId?: string | null | undefined;
  rejected?: string | undefined;
};

/**
 * Adds a row to the audit log with the actor's current role and the subject's account. Must run in the transaction of
 * the write. Returns the row's ID.
 */
export async function insertAudit(db: DbOrTx, { actorId, before, after, ...entry }: AuditEntry): Promise<string> {
  const find = (id: string) => db.selectFrom('users').select(['role', 'email']).where('id', '=', id).executeTakeFirst();
  const actor = actorId === null ? undefined : await find(actorId);
  const { id } = await db
    .insertInto('audits')
    .values({
      ...entry,
      actorId,
      accountId: entry.accountId ?? (await findSubjectAccount(db, entry.subject)),
      role: actor?.role ?? null,
      actorEmail: actor ? maskEmail(actor.email) : null,
      before: JSON.stringify(hideSecrets(before)),
      after: JSON.stringify(hideSecrets(after)),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const secretFieldPattern = /password|secret|token/i;
const safeTexts: readonly unknown[] = ['set', 'not set', 'changed', 'removed'];

/** Hides strings in fields that may contain secrets, because a row can't be deleted later. */
function hideSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  const hide = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => hide(name, one));
    if (value !== null && typeof value === 'object') return hideSecrets(value as Record<string, unknown>);
    const isSecret = typeof value === 'string' && secretFieldPattern.test(name) && !safeTexts.includes(value);
    return isSecret ? 'hidden' : value;
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, hide(name, value)]));
}

/** Returns the total number of units that an administrator has granted today (UTC). */
export async function countGrantedToday(db: DbOrTx, actorId: string): Promise<number> {
  const { units } = await db
    .selectFrom('audits')
    .select(sql<number>`coalesce(sum((after->'grant'->>'units')::integer), 0)::integer`.as('units'))
    .where('actorId', '=', actorId)
    .where('action', '=', 'user.grant')
    .where('rejected', 'is', null)
    .where('createdAt', '>=', sql<Date>`date_trunc('day', now(), 'UTC')`)
    .executeTakeFirstOrThrow();
  return units;
}

/** Links a billing call to the audit log row of the administrator who started it. */
export const setCallAudit = (tx: Tx, id: string, auditId: string) =>
  tx.updateTable('billingCalls').set({ auditId }).where('id', '=', id).execute();

/** Adds an audit log row for a failed billing call that an administrator started. No-op for other calls. */
export async function insertFailedCall(db: DbOrTx, id: string, code: ErrorCode): Promise<void> {
  await sql`
    insert into audits (actor_id, actor_email, role, action, subject, account_id, before, after, reason, address, request_id, rejected)
    select actor_id, actor_email, role, action, subject, account_id, '{}', after, reason, address, request_id, ${code}
    from audits where id = (select audit_id from billing_calls where id = ${id})`.execute(db);
}

/** Whether the audit log already records why a request was rejected. */
export const hasRejectedAudit = async (
  db: DbOrTx,
  { subject, requestId }: Record<'subject' | 'requestId', string>,
): Promise<boolean> =>
  (await db
    .selectFrom('audits')
    .select('id')
    .where('subject', '=', subject)
    .where('requestId', '=', requestId)
    .where('rejected', 'is not', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Position of a row in the audit log. `at`: the row's time with microseconds, which a `Date` can't hold. */
export type AuditPosition = { at: string; id: string };
export type UnfilledAudit = AuditPosition & { subject: string; accountId: string | null };

type AuditQuery = { after: AuditPosition | undefined; ageS: number; limit: number };

/**
 * Lists the rows that follow `after` and are older than `ageS` seconds, oldest first. Includes rows that already have
 * an account.
 */
export async function listAuditsAfter(tx: Tx, { after, ageS, limit }: AuditQuery): Promise<UnfilledAudit[]> {
  const { at, id } = after ?? { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  const { rows } = await sql<UnfilledAudit>`
    select created_at::text as at, id, subject, account_id as "accountId" from audits
    where (created_at, id) > (${at}::timestamptz, ${id}::uuid) and created_at < now() - make_interval(secs => ${ageS})
    order by audits.created_at, id limit ${limit}`.execute(tx);
  return rows;
}

/** Sets the accounts of rows that have none. */
export async function fillAccounts(tx: Tx, rows: readonly { id: string; accountId: string }[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const accountIds = rows.map(({ accountId }) => accountId);
  await sql`update audits set account_id = filled.account_id
    from unnest(${ids}::uuid[], ${accountIds}::uuid[]) as filled (id, account_id)
    where audits.id = filled.id and audits.account_id is null`.execute(tx);
}

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

const orders = makeOrders({ created: { column: 'audits.createdAt', type: 'time' } });

const matchesSearch = (search: string) => sql<SqlBool>`(
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
  if (to) query = query.where('audits.createdAt', '<', startOf(to, 1));
  return search ? query.where(matchesSearch(search)) : query;
}

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

export const listUserNames = (db: DbOrTx, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('users').select(['id', 'email', 'firstName', 'lastName']).where('id', 'in', ids).execute();

/**
 * Returns the latest change to a subject by one of these actions, with the actor's email address. Ignores rejected
 * changes.
 */
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
