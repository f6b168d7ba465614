import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Bill, BillLine } from '@uprez/contracts/schemas/billing/billing';
import { listTiersOfPrices } from '@uprez/db/queries/billing/prices';
import type { Invoice } from '@uprez/payments/invoices';
import type { Needs } from '../context.ts';
import { periodOf } from '../usage/period.ts';

/** Converts an invoice to the bill that its customer sees. Amounts are in cents. */
export async function presentBill({ db }: Needs<'db'>, invoice: Invoice): Promise<Bill> {
  const { lines, subtotal, discount, tax, total, due, currency } = invoice;
  const tiers = await listTiersOfPrices(
    db,
    lines.flatMap(({ priceId }) => priceId ?? []),
  );
  return {
    lines: lines.map((line) => presentLine(line, tiers.get(line.priceId ?? ''))),
    ...{ subtotal, discount, tax, total, due, currency },
  };
}

/** Doesn't use Stripe's descriptions for plans, because they format money and dates differently. */
function presentLine(
  { amount, isProration, period, description }: Invoice['lines'][number],
  tier: Tier | undefined,
): BillLine {
  if (!tier) return { kind: 'other', description: description ?? '', amount };
  const kind = isProration && amount < 0 ? 'unused_time' : 'period';
  return { kind, tier, from: period.start.toISOString(), until: period.end.toISOString(), amount };
}

type BillingCycle = { anchor: Date; periodEnd: Date };

/** Returns the time at which a paused plan is billed again. This is the start of the first period after the pause. */
export function findBillAfterPause({ anchor, periodEnd }: BillingCycle, pausedUntil: Date): Date {
  const { endsAt } = periodOf(anchor, pausedUntil);
  return endsAt > periodEnd ? endsAt : periodEnd;
}
