import { sql } from 'kysely';
import type { Db, DbOrTx, Tx } from '../../database.ts';
import { afterSeconds, now } from '../../times.ts';

/** A customer that one process is reading from Stripe. `wanted`: value of the column when the customer was claimed. */
export type ClaimedCustomer = { stripeId: string; fence: number; wanted: number; failures: number };

/**
 * Claims the customer that has been waiting longest to be read from Stripe again, for `leaseS` seconds. Customers with
 * failed reads come last, because they would otherwise delay the others. Returns undefined if none is due.
 */
export const claimCustomer = (db: Db, leaseS: number): Promise<ClaimedCustomer | undefined> =>
  db
    .updateTable('billingCustomers')
    .set((eb) => ({ fence: eb('fence', '+', 1), leaseUntil: afterSeconds(leaseS) }))
    .where('stripeId', '=', (eb) =>
      eb
        .selectFrom('billingCustomers')
        .select('stripeId')
        .whereRef('wanted', '>', 'mirrored')
        .where('notBefore', '<=', now)
        .where(({ or, eb: is }) => or([is('leaseUntil', 'is', null), is('leaseUntil', '<=', now)]))
        .orderBy(sql`failures > 0`)
        .orderBy('notBefore')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['stripeId', 'fence', 'wanted', 'failures'])
    .executeTakeFirst();

/**
 * Claims the customer of an account for `leaseS` seconds, even if another process holds a claim. Returns undefined if
 * the account has no customer.
 */
export const claimCustomerOfAccount = (
  db: Db,
  accountId: string,
  leaseS: number,
): Promise<ClaimedCustomer | undefined> =>
  db
    .updateTable('billingCustomers')
    .set((eb) => ({ fence: eb('fence', '+', 1), leaseUntil: afterSeconds(leaseS) }))
    .where('accountId', '=', accountId)
    .returning(['stripeId', 'fence', 'wanted', 'failures'])
    .executeTakeFirst();

/**
 * Returns whether a customer's changes are stored, and whether a process is reading it. Undefined if the account has no
 * customer.
 */
export const readSyncState = (
  db: Db,
  accountId: string,
): Promise<{ isCurrent: boolean; isLeased: boolean; failures: number } | undefined> =>
  db
    .selectFrom('billingCustomers')
    .select([
      sql<boolean>`mirrored >= wanted`.as('isCurrent'),
      sql<boolean>`coalesce(lease_until > now(), false)`.as('isLeased'),
      'failures',
    ])
    .where('accountId', '=', accountId)
    .executeTakeFirst();

const updateClaimed = (db: DbOrTx, { stripeId, fence }: Pick<ClaimedCustomer, 'stripeId' | 'fence'>) =>
  db.updateTable('billingCustomers').where('stripeId', '=', stripeId).where('fence', '=', fence);

/**
 * Ends a successful claim, and locks the customer's row until the transaction ends. Returns the customer's current or
 * former account, and whether no event has arrived since the claim (`isCurrent`). Undefined if the customer was claimed
 * again.
 */
export async function completeClaim(
  tx: Tx,
  claimed: ClaimedCustomer,
): Promise<{ isCurrent: boolean; accountId: string | null } | undefined> {
  const row = await updateClaimed(tx, claimed)
    .set({ mirrored: claimed.wanted, leaseUntil: null, notBefore: now, failures: 0, error: null })
    .returning(['wanted', sql<string | null>`coalesce(account_id, former_account_id)`.as('accountId')])
    .executeTakeFirst();
  return row && { isCurrent: row.wanted === claimed.wanted, accountId: row.accountId };
}

/** Ends a claim that failed. The customer may be claimed again in `delayS` seconds. */
export const failClaim = (db: Db, claimed: ClaimedCustomer, { delayS, error }: { delayS: number; error: string }) =>
  updateClaimed(db, claimed)
    .set((eb) => ({ leaseUntil: null, notBefore: afterSeconds(delayS), failures: eb('failures', '+', 1), error }))
    .execute();

export const findCustomer = (
  db: DbOrTx,
  accountId: string,
): Promise<{ stripeId: string; emailDigest: string | null } | undefined> =>
  db
    .selectFrom('billingCustomers')
    .select(['stripeId', 'emailDigest'])
    .where('accountId', '=', accountId)
    .executeTakeFirst();

type NewCustomer = { stripeId: string; accountId: string; emailDigest: string; moneyBackAt?: Date | null };

/**
 * Inserts the customer of an account unless it already has one, and returns the account's customer. An additional
 * customer is inserted without an account, and so is any customer whose account was deleted in the meantime. Customers
 * without an account are deleted at Stripe.
 */
export async function insertCustomer(
  tx: Tx,
  { stripeId, accountId, emailDigest, moneyBackAt = null }: NewCustomer,
): Promise<string> {
  await sql`
    insert into billing_customers (stripe_id, account_id, email_digest, money_back_at)
    select ${stripeId}, (select id from users where id = ${accountId} for key share), ${emailDigest}, ${moneyBackAt}
    on conflict do nothing`.execute(tx);
  const current = await findCustomer(tx, accountId);
  if (!current || current.stripeId === stripeId) return stripeId;
  const other = { stripeId, accountId: null, emailDigest };
  await tx
    .insertInto('billingCustomers')
    .values(other)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return current.stripeId;
}

/**
 * Detaches a customer that was deleted at Stripe from its account. Returns the data that the account's next customer
 * inherits.
 */
export const detachDeletedCustomer = (
  tx: Tx,
  { accountId, stripeId }: { accountId: string; stripeId: string },
): Promise<{ moneyBackAt: Date | null } | undefined> =>
  tx
    .updateTable('billingCustomers')
    .set((eb) => ({
      accountId: null,
      formerAccountId: accountId,
      deletedAt: now,
      wanted: eb('wanted', '+', 1),
      notBefore: now,
    }))
    .where('accountId', '=', accountId)
    .where('stripeId', '=', stripeId)
    .returning('moneyBackAt')
    .executeTakeFirst();

export const setEmailDigest = (tx: Tx, stripeId: string, emailDigest: string) =>
  tx.updateTable('billingCustomers').set({ emailDigest }).where('stripeId', '=', stripeId).execute();

/**
 * Lists accounts with an email address that differs from the one at Stripe. Leaves out accounts for which an update of
 * the address failed less than a day ago.
 */
export const listOutdatedEmails = (db: Db, limit: number): Promise<{ accountId: string; email: string }[]> =>
  db
    .selectFrom('billingCustomers as customer')
    .innerJoin('users', 'users.id', 'customer.accountId')
    .select(['users.id as accountId', 'users.email'])
    .where(sql<boolean>`customer.email_digest is distinct from encode(sha256(convert_to(users.email, 'UTF8')), 'hex')`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('billingCalls')
            .select('id')
            .whereRef('billingCalls.accountId', '=', 'users.id')
            .where('slot', '=', 'email')
            .where('state', '=', 'failed')
            .where('createdAt', '>', afterSeconds(-86_400)),
        ),
      ),
    )
    .limit(limit)
    .execute();

/** Marks the customer of an account to be read again, even if a read that began before the change is still running. */
export const requestAccountSync = (tx: Tx, accountId: string) =>
  tx
    .updateTable('billingCustomers')
    .set((eb) => ({
      wanted: eb('wanted', '+', 1),
      notBefore: sql`case when wanted = mirrored then now() else not_before end`,
    }))
    .where('accountId', '=', accountId)
    .execute();

export const lockCustomer = (tx: Tx, stripeId: string) =>
  tx
    .selectFrom('billingCustomers')
    .select('stripeId')
    .where('stripeId', '=', stripeId)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Lists customers without an account that still exist at Stripe, oldest first. */
export async function listDetachedCustomers(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('billingCustomers')
    .select('stripeId')
    .where('accountId', 'is', null)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  return rows.map(({ stripeId }) => stripeId);
}

/** Records that a customer was deleted at Stripe, and schedules one more read of the customer. */
export const markCustomerDeleted = (db: Db, stripeId: string) =>
  db
    .updateTable('billingCustomers')
    .set((eb) => ({ deletedAt: now, wanted: eb('wanted', '+', 1) }))
    .where('stripeId', '=', stripeId)
    .where('deletedAt', 'is', null)
    .execute();

export type SyncBacklog = { pending: number; failing: number; oldestS: number };

/**
 * Counts the customers that must be read again, and how many of these reads have failed. `oldestS`: age of the oldest
 * pending event, in seconds.
 */
export async function countBacklog(db: Db): Promise<SyncBacklog> {
  const { rows } = await sql<SyncBacklog>`
    select count(*)::integer as pending, (count(*) filter (where failures > 0))::integer as failing,
      (select coalesce(extract(epoch from now() - min(received_at)), 0)::float8 from stripe_events
        where state = 'pending') as "oldestS"
    from billing_customers where wanted > mirrored`.execute(db);
  return rows[0] ?? { pending: 0, failing: 0, oldestS: 0 };
}
