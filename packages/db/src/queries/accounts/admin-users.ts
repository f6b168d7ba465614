import type { Role } from '@uprez/contracts/policy/admin/permissions';
import type { StaffSort, TwoFactorState, UserSort, UserStatus } from '@uprez/contracts/policy/admin/tables';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type SqlBool, sql } from 'kysely';
import { hasText, uuidPattern } from '../../conditions.ts';
import type { DbOrTx, Tx } from '../../database.ts';
import { countRows, makeOrders, orderOf, type Page, readKeysetPage } from '../../keyset.ts';
import { isDeliveredThisMonth, type MonthCounts, wasDelivered } from '../jobs/jobs.ts';
import { hasFailingEndpoint } from '../webhooks/webhook-endpoints.ts';
import type { UserRow } from './users.ts';

/**
 * A user with the additional fields that administrators see. `lastSeenAt`: latest activity on any device, including
 * signed-out devices. `billedTier`, `billedUntil`: plan of the live subscription, and when the subscription ends if it
 * was canceled.
 */
export type AdminUserRow = UserRow &
  MonthCounts & { lastSeenAt: Date | null; billedTier: Tier | null; billedUntil: Date | null };
export type UserFilter = {
  search?: string | undefined;
  /** Whether the search matches names only, for administrators who aren't allowed to read email addresses. */
  byName?: boolean | undefined;
  tier?: Tier | undefined;
  status?: UserStatus | undefined;
  role?: Role | undefined;
};

const lastSeen = sql<Date | null>`greatest(
  (select max(last_seen_at) from sessions where user_id = users.id),
  (select max(last_seen_at) from devices where user_id = users.id))`;
const countDeliveredThisMonth = (surface: 'web' | 'api') =>
  sql<number>`(select count(*) from jobs where account_id = users.id and ${isDeliveredThisMonth(surface)})`;
const selectLiveColumn = <Value>(column: 'tier' | 'cancel_at') => sql<Value | null>`(
  select ${sql.ref(`subscriptions.${column}`)}
  from billing_customers join subscriptions on subscriptions.customer_id = billing_customers.stripe_id
  where billing_customers.account_id = users.id and subscriptions.status in ('active', 'past_due')
  order by subscriptions.created_at desc limit 1)`;
const adminColumns = [
  lastSeen.as('lastSeenAt'),
  selectLiveColumn<Tier>('tier').as('billedTier'),
  selectLiveColumn<Date>('cancel_at').as('billedUntil'),
  countDeliveredThisMonth('web').as('imagesThisMonth'),
  countDeliveredThisMonth('api').as('apiCallsThisMonth'),
] as const;

function selectMatchingUsers(db: DbOrTx, { search, byName, tier, status, role }: UserFilter) {
  let query = db.selectFrom('users').where('isService', '=', false);
  if (search)
    query = query.where(
      uuidPattern.test(search) ? sql<SqlBool>`(id = ${search} or ${hasText(search, byName)})` : hasText(search, byName),
    );
  if (tier) query = query.where('tier', '=', tier);
  if (role) query = query.where('role', '=', role);
  if (status === 'active') query = query.where('suspendedAt', 'is', null);
  if (status === 'suspended') query = query.where('suspendedAt', 'is not', null);
  if (status === 'verified') query = query.where('emailVerified', '=', true);
  if (status === 'unverified') query = query.where('emailVerified', '=', false);
  if (status === 'admin') query = query.where('role', 'is not', null);
  if (status === 'webhooks') query = query.where(hasFailingEndpoint);
  return query;
}

const deliveredColumn = { column: sql`coalesce(month.delivered, 0)`, type: 'integer' } as const;
const orders = makeOrders({
  created: { column: 'users.createdAt', type: 'time' },
  images: deliveredColumn,
  calls: deliveredColumn,
});

/** Counts all accounts in one index scan, because counting per user would take seconds. */
const withDeliveredCounts = (query: ReturnType<typeof selectMatchingUsers>, sort: UserSort) =>
  query.leftJoin(
    (eb) =>
      eb
        .selectFrom('jobs')
        .select((of) => ['accountId', of.fn.countAll<number>().as('delivered')])
        .where('finishedAt', '>=', sql<Date>`date_trunc('month', now(), 'UTC')`)
        .where('surface', '=', sort.endsWith('calls') ? 'api' : 'web')
        .where(wasDelivered)
        .groupBy('accountId')
        .as('month'),
    (join) => join.onRef('month.accountId', '=', 'users.id'),
  );

export function listUsers(
  db: DbOrTx,
  { sort, after, limit, ...filter }: UserFilter & Page & { sort: UserSort },
): Promise<(AdminUserRow & { sortValue: number })[]> {
  const query = selectMatchingUsers(db, filter);
  const page = { order: orders[sort], id: 'users.id', after, limit };
  return isSortedByMonth(sort)
    ? readKeysetPage(withDeliveredCounts(query, sort).selectAll('users').select(adminColumns), page)
    : readKeysetPage(query.selectAll('users').select(adminColumns), page);
}

/** Whether a sort order depends on a user's activity this month, which changes at any time. */
export const isSortedByMonth = (sort: UserSort): boolean => !sort.endsWith('created');

/**
 * Lists the IDs of all matching users in one sorted snapshot. Pages are taken from this list, because each page would
 * otherwise count all of this month's images again.
 */
export async function listUserIdsByMonth(
  db: DbOrTx,
  { sort, ...filter }: UserFilter & { sort: UserSort },
): Promise<string[]> {
  const { ids } = await withDeliveredCounts(selectMatchingUsers(db, filter), sort)
    .select(sql<string | null>`string_agg(users.id::text, ',' order by ${orderOf(orders[sort], 'users.id')})`.as('ids'))
    .executeTakeFirstOrThrow();
  return ids?.split(',') ?? [];
}

/** Lists the users with these IDs in the given order. Deleted users are omitted. */
export const listUsersById = (db: DbOrTx, ids: readonly string[]): Promise<AdminUserRow[]> =>
  db
    .selectFrom('users')
    .selectAll('users')
    .select(adminColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy(sql`array_position(${ids}::uuid[], id)`)
    .execute();

export const countUsers = (db: DbOrTx, filter: UserFilter = {}): Promise<number> =>
  countRows(selectMatchingUsers(db, filter));

export const findAdminUser = (db: DbOrTx, id: string) =>
  db.selectFrom('users').selectAll('users').select(adminColumns).where('id', '=', id).executeTakeFirst();

/** Locks users in the order of their IDs, so that two transactions can't deadlock. */
export const lockUsers = (tx: Tx, ids: readonly string[]) =>
  tx.selectFrom('users').selectAll().where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute();

/** Locks users and all owners in the order of their IDs. */
export const lockUsersAndOwners = (tx: Tx, ids: readonly string[]) =>
  tx
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb.or([eb('id', 'in', ids), eb('role', '=', 'owner')]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

/**
 * Suspends a user with a reason, or restores the user if `suspension` is undefined. A user who is already suspended
 * keeps the original time.
 */
export async function setSuspension(tx: Tx, id: string, suspension: { reason: string | null } | undefined) {
  const changes = suspension
    ? { suspendedAt: sql<Date>`coalesce(suspended_at, now())`, suspendedReason: suspension.reason }
    : { suspendedAt: null, suspendedReason: null };
  await tx.updateTable('users').set(changes).where('id', '=', id).execute();
}

export type StaffFilter = {
  search?: string | undefined;
  role?: Role | undefined;
  twoFactor?: TwoFactorState | undefined;
};

/** There are few administrators, so their lists need no index besides the one on the role. */
function selectMatchingStaff(db: DbOrTx, { search, role, twoFactor }: StaffFilter) {
  let query = db.selectFrom('users').where('users.role', 'is not', null).$narrowType<{ role: Role }>();
  if (search) query = query.where(hasText(search, false));
  if (role) query = query.where('users.role', '=', role);
  if (twoFactor) query = query.where('users.twoFactorAt', twoFactor === 'on' ? 'is not' : 'is', null);
  return query;
}

const staffOrders = makeOrders({
  seen: { column: sql`coalesce(${lastSeen}, timestamptz 'epoch')`, type: 'time' },
  joined: { column: 'users.createdAt', type: 'time' },
});

/** Lists a page of the administrators. `lastSeenAt`: latest activity on any device, including signed-out devices. */
export const listStaff = (db: DbOrTx, { sort, after, limit, ...filter }: StaffFilter & Page & { sort: StaffSort }) =>
  readKeysetPage(
    selectMatchingStaff(db, filter)
      .select(['id', 'firstName', 'lastName', 'email', 'role', 'suspendedAt', 'twoFactorAt', 'createdAt'])
      .select(lastSeen.as('lastSeenAt'))
      .$narrowType<{ role: Role }>(),
    { order: staffOrders[sort], id: 'users.id', after, limit },
  );
export type StaffRow = Awaited<ReturnType<typeof listStaff>>[number];

export const countStaff = (db: DbOrTx, filter: StaffFilter): Promise<number> =>
  countRows(selectMatchingStaff(db, filter));

/** Counts the owners who are neither suspended nor scheduled for deletion. */
export const countOwners = (db: DbOrTx): Promise<number> =>
  countRows(selectMatchingStaff(db, { role: 'owner' }).where('suspendedAt', 'is', null).where('deletesAt', 'is', null));
