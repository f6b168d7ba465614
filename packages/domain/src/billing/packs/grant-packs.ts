import type { Tx } from '@uprez/db/database';
import { lockAllowances } from '@uprez/db/locks';
import { completePaidPacks } from '@uprez/db/queries/billing/billing-calls';
import { listBoughtPacks } from '@uprez/db/queries/billing/bought-packs';
import { insertAllowance } from '@uprez/db/queries/usage/allowances';
import { insertLedgerRow } from '@uprez/db/queries/usage/ledger';
import { now } from '@uprez/db/times';
import type { Payment } from '@uprez/payments/payment-intents';
import { packReason } from '../../usage/ledger-reasons.ts';
import { reverseUnits } from '../../usage/reverse-units.ts';

/** Gives an account the units of packs that it paid, once per payment, and ends their purchases. Safe to repeat. */
export async function grantPacks(
  tx: Tx,
  accountId: string,
  payments: readonly Pick<Payment, 'id' | 'status' | 'callId'>[],
): Promise<void> {
  const paid = payments.filter(({ status }) => status === 'succeeded');
  const bought = await listBoughtPacks(tx, accountId, paid);
  if (bought.length === 0 || !(await lockAllowances(tx, accountId))) return;
  for (const { paymentId: ref, units, meter } of bought) {
    const reason = packReason({ units, meter });
    const row = { accountId, meter, units, reason, ref };
    const pack = { source: 'pack', tier: null, unitsLeft: units, cycle: 0, startsAt: now, expiresAt: null } as const;
    const given = await insertAllowance(tx, { ...row, ...pack });
    if (given) await insertLedgerRow(tx, { ...row, allowanceId: given.id, kind: 'grant' });
  }
  await completePaidPacks(tx, bought);
  // A payment may have been refunded before it was first read.
  await reverseUnits(tx, accountId);
}
