import { AppError } from '@uprez/contracts/errors/app-error';
import type { AdminSubscription } from '@uprez/contracts/schemas/billing/admin-payments';
import { findUser } from '@uprez/db/queries/accounts/users';
import { findSyncFailures } from '@uprez/db/queries/billing/admin/payment-health';
import { isUuid } from '../../actor.ts';
import type { CallContext } from '../../billing/calls/call-kind.ts';
import { syncNow } from '../../billing/sync/sync-customer.ts';
import type { Administrator } from '../administrator.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import { writeAudited } from './write-audited.ts';

/**
 * Reads an account's customer from Stripe now, and returns its subscriptions. Throws `user_not_found`, and
 * `billing_unavailable` if Stripe couldn't be read.
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
