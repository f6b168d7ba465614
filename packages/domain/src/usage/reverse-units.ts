import type { Tx } from '@uprez/db/database';
import { lockAllowances } from '@uprez/db/locks';
import { listReturnedMoney, type ReturnedMoney } from '@uprez/db/queries/billing/payments';
import { listOpenAllowances, type OpenAllowance, takeUnusedUnits } from '@uprez/db/queries/usage/allowances';
import { insertLedgerRow, listReversals } from '@uprez/db/queries/usage/ledger';
import { formatReversalReason } from './ledger-reasons.ts';

type PaidAllowance = OpenAllowance & { ref: string };

/**
 * Takes back unused units after their payment was refunded or lost in a dispute. The number of units is proportional to
 * the returned amount. Each refund or dispute is recorded in one ledger row per allowance, and is ignored if that row
 * already exists.
 */
export async function reverseUnits(tx: Tx, accountId: string): Promise<void> {
  if (!(await lockAllowances(tx, accountId))) return;
  const allowances = (await listOpenAllowances(tx, accountId)).filter((row): row is PaidAllowance => row.ref !== null);
  const returned = await listReturnedMoney(tx, [...new Set(allowances.map(({ ref }) => ref))]);
  if (returned.length === 0) return;
  const ids = allowances.map(({ id }) => id);
  const known = new Set((await listReversals(tx, ids)).map(({ allowanceId, ref }) => `${allowanceId} ${ref}`));
  for (const allowance of allowances)
    for (const [money, units] of splitUnits(allowance, returned))
      if (!known.has(`${allowance.id} ${money.id}`)) await reverseAllowance(tx, allowance, { money, units });
}

/**
 * Returns how many units each refund or lost dispute is worth. The rounded numbers add up to all units if the full
 * amount was returned.
 */
export function splitUnits(
  { ref, units }: Pick<PaidAllowance, 'ref' | 'units'>,
  returned: readonly ReturnedMoney[],
): [ReturnedMoney, number][] {
  let cents = 0;
  return returned
    .filter((money) => money.ref === ref && money.paid > 0)
    .map((money) => {
      const reversedUnits = Math.round((units * cents) / money.paid);
      cents = Math.min(money.paid, cents + money.amount);
      return [money, Math.round((units * cents) / money.paid) - reversedUnits];
    });
}

async function reverseAllowance(
  tx: Tx,
  { id: allowanceId, accountId, meter }: PaidAllowance,
  { money, units }: { money: ReturnedMoney; units: number },
): Promise<void> {
  const taken = await takeUnusedUnits(tx, allowanceId, units);
  const reason = formatReversalReason({ ...money, meter, units, taken });
  const entry = { accountId, allowanceId, kind: 'reverse', meter, reason, ref: money.id } as const;
  await insertLedgerRow(tx, { ...entry, units: -taken });
}
