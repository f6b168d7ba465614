import type { Bill, BillLine } from '@uprez/contracts/schemas/billing/billing';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { billingMessages } from './messages.ts';
import { planName } from './plan-name.ts';

const text = billingMessages.bill;

export type BillRow = { label: string; amount: string; isTotal?: true };

/** Describes a bill line: `Pro plan, Nov 5, 2026 to Dec 5, 2026`. */
function describeLine(line: BillLine): string {
  if (line.kind === 'other') return line.description;
  return text.lines[line.kind](planName(line.tier), formatDay(line.from), formatDay(line.until));
}

/**
 * Returns the rows of a bill: its lines, subtotal, discount, tax, credit, and the amount due. Omits adjustments of
 * zero, and a subtotal that isn't needed.
 */
export function listBillLines(bill: Bill): BillRow[] {
  const format = (amount: number) => formatMoney({ amount, currency: bill.currency });
  const credit = bill.due - bill.total;
  const changes = [
    [text.discount, -bill.discount],
    [text.tax, bill.tax],
    [text.credit, credit],
  ] as const;
  const changed = changes.filter(([, amount]) => amount !== 0);
  return [
    ...bill.lines.map((line) => ({ label: describeLine(line), amount: format(line.amount) })),
    ...(changed.length > 0 && bill.lines.length > 1 ? [{ label: text.subtotal, amount: format(bill.subtotal) }] : []),
    ...changed.map(([label, amount]) => ({ label, amount: format(amount) })),
    { label: text.dueToday, amount: format(bill.due), isTotal: true },
  ];
}
