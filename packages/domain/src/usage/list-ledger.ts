import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { countLedger, type LedgerRow, listLedger as listRows } from '@uprez/db/queries/usage/ledger';
import type { Needs } from '../context.ts';
import { isUuid } from '../is-uuid.ts';
import { readBalance } from './ensure-period.ts';

export type LedgerEntry = LedgerRow;

export type LedgerFilter = { limit?: number | undefined; cursor?: number | undefined };
export type LedgerList = { rows: LedgerRow[]; total: number; nextCursor: number | undefined };

/** One page of an account's ledger as of now, newest first. Throws `user_not_found` for an account that there is none of. */
export async function listLedger(
  ctx: Needs<'db'>,
  { accountId, limit = limits.pageRows, cursor }: { accountId: string } & LedgerFilter,
): Promise<LedgerList> {
  if (!isUuid(accountId) || !(await readBalance(ctx, accountId))) throw new AppError('user_not_found');
  const [rows, total] = await Promise.all([
    listRows(ctx.db, { accountId, before: cursor, limit: limit + 1 }),
    countLedger(ctx.db, accountId),
  ]);
  const page = rows.slice(0, limit);
  return { rows: page, total, nextCursor: rows.length > limit ? page.at(-1)?.id : undefined };
}
