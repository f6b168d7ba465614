import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { CompiledQuery, sql } from 'kysely';
import type { Db, Tx } from './database.ts';
import { prepareQuery } from './prepare-query.ts';

/**
 * Advisory locks, and the order in which every transaction takes its locks. A transaction may skip levels but never
 * goes back to an earlier one, so transactions can't deadlock:
 *
 * 1. The claim lock (`withClaimLock`).
 * 2. The `billing_customers` row, its `billing_calls`, then the `users` row (`lockUser`).
 * 3. The `batches` row, then its items by position.
 * 4. The lock of equal images (`lockRepeatedJobs`), the `job_leases` row, the `jobs` row, then its `objects`.
 * 5. The `daily_counts` row, the `api_keys` row, then its days.
 * 6. The allowance lock of an account (`lockAllowances`), then `allowances` rows by id.
 * 7. `users.virtual_time` (`catchUpVirtualTime`, `correctVirtualTime`), as the last statement that can wait.
 *
 * Only the row of an administrator with a larger ID may follow level 7 (`runWithAdminLock`), because users are locked in the
 * order of their IDs.
 *
 * Claims run one at a time, so whatever a claim waits for stops all workers. A claim therefore skips locked rows while
 * another account has a job, and level 7 comes last: a transaction that waits for the allowance lock of its account
 * must not hold the row that a claim updates.
 */

export const claimLock = 'claims';

/**
 * Runs one transaction at a time under the claim lock. Releases the lock before the commit is flushed to disk, because
 * the next claim then doesn't wait for the disk. The next claim's commit can't reach the disk before this one. The
 * commit is on disk when the function returns.
 */
export async function withClaimLock<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const result = await db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = off`.execute(tx);
    await lock(tx, claimLock);
    return work(tx);
  });
  await db.executeQuery(CompiledQuery.raw(flushStatement));
  return result;
}

/**
 * Locks the allowances of an account. Uses an advisory lock, because claims update the account's row. Returns false if
 * the account doesn't exist.
 */
export async function lockAllowances(tx: Tx, accountId: string): Promise<boolean> {
  return (await lockAccount(tx, { accountId })).length > 0;
}

const lockAccount = prepareQuery(
  (_db, { accountId }: { accountId: string }) => sql`
    with account as materialized (select id from users where id = ${accountId} for key share)
    select pg_advisory_xact_lock(hashtextextended('allowances:' || id, 0)) from account`,
);

/** Lets one transaction at a time assign positions in an account's event feed. */
export const lockFeed = (tx: Tx, accountId: string): Promise<void> => lock(tx, `feed:${accountId}`);

/** Lets one transaction at a time write a group of settings, which may have no row yet. */
export const lockSettings = (tx: Tx, name: string): Promise<void> => lock(tx, `settings:${name}`);

/** Lets one transaction at a time look up a lead by email address and insert it. */
export const lockLeads = (tx: Tx, email: string): Promise<void> => lock(tx, `leads:${email.toLowerCase()}`);

/** Lets one transaction at a time choose a slug for articles of a kind. The caller has already locked the article. */
export const lockSlugs = (tx: Tx, kind: ArticleKind): Promise<void> => lock(tx, `slugs:${kind}`);

/** Lets one transaction at a time open and end incidents. */
export const lockIncidents = (tx: Tx): Promise<void> => lock(tx, 'incidents');

/** Lets one transaction at a time count the service keys, and add one. */
export const lockServiceKeys = (tx: Tx): Promise<void> => lock(tx, 'service-keys');

/** Lets one transaction at a time run the setup or create the account that probes use. */
export const lockSetup = (tx: Tx): Promise<void> => lock(tx, 'setup');

/**
 * Lets one process at a time change products, prices, and webhook endpoints at Stripe. The transaction only holds the
 * lock, because session-level locks don't work through PgBouncer. `work` uses other connections.
 */
export const withCatalogLock = <Result>(db: Db, work: () => Promise<Result>): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(tx);
    await lock(tx, 'catalog');
    return work();
  });

/**
 * Lets one process at a time migrate. As in `withCatalogLock`, the transaction only holds the lock. It has no snapshot,
 * because a snapshot would delay `create index concurrently`.
 */
export const withMigrationLock = <Result>(db: Db, work: () => Promise<Result>): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = 0`.execute(tx);
    await lock(tx, 'migrations');
    // Also ends the previous statement. Its snapshot would otherwise be kept until the next statement.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    return work();
  });

/** Lets one transaction at a time count and send automatic replies to an email address. */
export const lockAutoReplies = (tx: Tx, email: string): Promise<void> =>
  lock(tx, `auto-replies:${email.toLowerCase()}`);

async function lock(tx: Tx, name: string): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(lockStatement, [name]));
}

/** SQL statement that waits for the advisory lock with a name, and holds it until the transaction ends. */
export const lockStatement = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';

/**
 * SQL statements that begin a transaction with a commit that doesn't wait for the disk. Other transactions that are
 * waiting for its locks then don't wait for the disk either.
 */
export const beginWithoutFlush = 'begin; set local synchronous_commit = off';

/** SQL statement that writes a WAL message and waits until it is on disk. All earlier commits are then on disk, too. */
export const flushStatement = "select pg_logical_emit_message(true, 'uprez', '')";
