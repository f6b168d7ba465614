import { AppError } from '@uprez/contracts/errors/app-error';
import { meters } from '@uprez/contracts/policy/plans/meters';
import { countLedger, type LedgerRow, listLedger as listRows } from '@uprez/db/queries/usage/ledger';
import { type Actor, isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import { type IdPageQuery, parseIntegerId, readAllIds, readIdPage } from '../read-id-pages.ts';
import type { TablePage } from '../read-table.ts';
import { readBalance } from './ensure-period.ts';

/**
 * Returns an account's quota by meter. `used` includes reserved units and excludes units that were taken back after a
 * refund or a dispute. `left` is never negative. Throws `not_signed_in`.
 */
export async function readQuota(ctx: Needs<'db'>, { actor }: { actor: Pick<Actor, 'accountId' | 'isViewed'> }) {
  const balance = await readBalance(ctx, actor);
  if (!balance) throw new AppError('not_signed_in');
  const resetsAt = balance.period.endsAt.toISOString();
  const quota = meters.flatMap((meter) => {
    const allowances = balance.allowances.filter((allowance) => allowance.meter === meter);
    if (allowances.length === 0) return [];
    const given = (isPlan: boolean) =>
      sum(
        allowances.filter((row) => (row.source === 'plan') === isPlan).map(({ units, reversed }) => units - reversed),
      );
    const [included, granted] = [given(true), given(false)];
    const left = sum(allowances.map((row) => row.unitsLeft));
    return [{ meter, included, granted, used: included + granted - left, left: Math.max(0, left), resetsAt }];
  });
  const { tier, planVersion, period } = balance;
  return { tier, planVersion, period, meters: quota };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

export type LedgerEntry = LedgerRow;

/** Opens an account's ledger after updating its allowances. Throws `user_not_found`. */
async function getLedger(ctx: Needs<'db'>, account: Pick<Actor, 'accountId' | 'isViewed'>) {
  const { accountId } = account;
  if (!isUuid(accountId) || !(await readBalance(ctx, account))) throw new AppError('user_not_found');
  return {
    list: (page: { before: number | undefined; limit: number }) => listRows(ctx.db, { accountId, ...page }),
    count: () => countLedger(ctx.db, accountId),
  };
}

/**
 * Returns one page of an account's current ledger, newest first. Throws `user_not_found` if the account doesn't exist.
 */
export async function listLedger(
  ctx: Needs<'db'>,
  { limit, cursor, ...account }: Pick<Actor, 'accountId' | 'isViewed'> & IdPageQuery,
): Promise<TablePage<LedgerEntry>> {
  const list = `ledger:${account.accountId}`;
  return readIdPage({ list, parseId: parseIntegerId, cursor, limit }, await getLedger(ctx, account));
}

/** Yields an account's ledger in pages. Throws `user_not_found` or `export_too_large`. */
export const exportLedger = async (
  ctx: Needs<'db'>,
  account: Pick<Actor, 'accountId'>,
): Promise<AsyncIterable<LedgerEntry[]>> => readAllIds(await getLedger(ctx, account));
