import { listAccountsToClose } from '@uprez/db/queries/usage/allowances';
import type { Needs } from '../context.ts';
import { closeEnded } from './ensure-period.ts';

/**
 * Close expired allowances of inactive accounts. The next period opens with the account's next request. Returns the
 * number of accounts. Safe to repeat.
 */
export async function closeEndedAllowances(ctx: Needs<'db'>): Promise<number> {
  const accounts = await listAccountsToClose(ctx.db);
  for (const accountId of accounts) await ctx.db.transaction().execute((tx) => closeEnded(tx, accountId));
  return accounts.length;
}
