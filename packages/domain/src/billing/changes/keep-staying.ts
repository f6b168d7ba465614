import { listKeptSubscriptions } from '@uprez/db/queries/billing/plan-facts';
import type { CallContext } from '../calls/call-kind.ts';
import { keepKind } from './resume-plan.ts';
import { runChange } from './run-change.ts';

/**
 * Renews plans again that were canceled with the deletion of their accounts, after the accounts were kept. `accountId`: of this
 * account only. Returns how many. Safe to repeat and to run in several processes.
 */
export async function keepStaying(ctx: CallContext, accountId?: string): Promise<number> {
  let count = 0;
  for (const one of await listKeptSubscriptions(ctx.db, accountId))
    try {
      const { subscriptionId } = one;
      const change = { wanted: { subscriptionId }, request: { subscriptionId } };
      await runChange(ctx, keepKind, { accountId: one.accountId, ...change });
      count += 1;
    } catch (error) {
      // The plans of other accounts must be kept, too.
      ctx.log.warn({ err: error, ...one }, 'keeping the plan of a kept account failed, will retry');
    }
  return count;
}
