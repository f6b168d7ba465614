import { AppError } from '@uprez/contracts/errors/app-error';
import type { AdminSubscription, PaymentHealth } from '@uprez/contracts/schemas/billing/admin-payments';
import { findUser } from '@uprez/db/queries/accounts/users';
import {
  countInbox,
  findLatestCheck,
  findSyncFailures,
  listFailingCustomers,
  listMultiSubscriptionAccounts,
} from '@uprez/db/queries/billing/admin/payment-health';
import { findInstanceFact } from '@uprez/db/queries/instance/instance';
import { isUuid } from '../../actor.ts';
import type { CallContext } from '../../billing/calls/call-kind.ts';
import { accountFact } from '../../billing/ensure-stripe-account.ts';
import { syncNow } from '../../billing/sync/sync-customer.ts';
import type { Needs } from '../../context.ts';
import type { Administrator } from '../administrator.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import { toAccount } from './to-account.ts';
import { writeAudited } from './write-audited.ts';

/** Returns the health of billing without requests to Stripe. */
export async function readPaymentHealth({ db }: Needs<'db'>): Promise<Omit<PaymentHealth, 'isConfigured'>> {
  const { oldestPendingAt, ...counts } = await countInbox(db);
  const failing = await listFailingCustomers(db);
  const check = await findLatestCheck(db);
  const doubled = await listMultiSubscriptionAccounts(db);
  return {
    account: parseAccount(await findInstanceFact(db, accountFact)),
    ...counts,
    oldestPendingAt: oldestPendingAt?.toISOString() ?? null,
    drift: check ? { checked: check.checked, found: check.found, at: check.finishedAt.toISOString() } : null,
    failing: failing.map((row) => ({
      customerId: row.customerId,
      account: toAccount(row),
      failures: row.failures,
      error: row.error,
      retryAt: row.notBefore.toISOString(),
    })),
    doubled: doubled.map((row) => ({ account: toAccount(row), subscriptionIds: row.subscriptionIds })),
  };
}

/** Parses a stored account, such as `acct_1 (test mode)`. */
function parseAccount(fact: string | undefined): PaymentHealth['account'] {
  const [, id, mode] = /^(\S+) \((test|live) mode\)$/.exec(fact ?? '') ?? [];
  return id && (mode === 'test' || mode === 'live') ? { id, mode } : null;
}

/**
 * Reads an account's customer from Stripe now and returns the account's subscriptions. Throws `user_not_found`, and
 * `billing_unavailable` if reading from Stripe failed.
 */
export async function resyncAccount(
  ctx: CallContext,
  { admin, accountId }: { admin: Administrator; accountId: string },
): Promise<AdminSubscription[]> {
  if (!isUuid(accountId) || !(await findUser(ctx.db, accountId))) throw new AppError('user_not_found');
  const audit = { admin, action: 'billing.resync', subject: `user:${accountId}` };
  await writeAudited(ctx, audit, async () => ({ result: undefined, before: {}, after: {} }));
  await syncNow(ctx, accountId);
  const state = await findSyncFailures(ctx.db, accountId);
  if (state && state.failures > 0) throw new AppError('billing_unavailable');
  return (await listSubscriptions(ctx, { search: accountId })).rows;
}
