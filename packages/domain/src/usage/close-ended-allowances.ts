import { listAccountsToClose } from '@uprez/db/queries/usage/allowances';
import type { Needs } from '../context.ts';
import { closeEnded } from './ensure-period.ts';

/**
 * Close allowances whose time is over, of accounts that nobody looks at; the next period's are opened when somebody
 * does. Answers for how many accounts. Safe to repeat and to run anywhere.
 */
export async function closeEndedAllowances(ctx: Needs<'db'>): Promise<number> {
  const accounts = await listAccountsToClose(ctx.db);
  for (const accountId of accounts) await ctx.db.transaction().execute((tx) => closeEnded(tx, accountId));
  return accounts.length;
}
