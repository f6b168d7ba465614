import { listEndedPlans } from '@uprez/db/queries/accounts/users';
import { markAccount } from '@uprez/db/queries/billing/plan-facts';
import type { Needs } from '../../context.ts';
import { settlePlan } from './settle-plan.ts';

/**
 * Settles the accounts whose plan or override ends now, and reads their customers again: an event may be missing. Returns
 * how many. Safe to repeat.
 */
export async function settleEndedPlans({ db, log }: Needs<'db' | 'log'>): Promise<number> {
  let count = 0;
  for (const userId of await listEndedPlans(db))
    try {
      const plan = await db.transaction().execute((tx) => settlePlan(tx, userId));
      await markAccount(db, userId);
      log.info({ userId, tier: plan?.tier }, 'plan settled at its end');
      count += 1;
    } catch (error) {
      // The plans of other accounts must end, too.
      log.warn({ err: error, userId }, 'settling a plan failed, will retry');
    }
  return count;
}
