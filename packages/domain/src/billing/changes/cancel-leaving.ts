import { listLeavingSubscribers } from '@uprez/db/queries/billing/plan-facts';
import type { CallContext } from '../calls/call-kind.ts';
import { cancelPlan } from './cancel-plan.ts';

/**
 * Cancels the plans of accounts whose owners asked for their deletion, so that none renews before it. Returns how many. Safe
 * to repeat and to run in several processes.
 */
export async function cancelLeaving(ctx: CallContext): Promise<number> {
  let count = 0;
  for (const accountId of await listLeavingSubscribers(ctx.db))
    try {
      await cancelPlan(ctx, { accountId });
      count += 1;
    } catch (error) {
      // The plans of other accounts must be canceled, too.
      ctx.log.warn({ err: error, accountId }, 'canceling the plan of a leaving account failed, will retry');
    }
  return count;
}
