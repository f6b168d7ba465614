import type { Bill } from '@uprez/contracts/schemas/billing/billing';
import { formatMoney } from '../../lib/format/money.ts';
import { billingMessages } from './messages.ts';

const text = billingMessages.bill;

export type BillLine = { label: string; amount: string; isTotal?: true };

/** The rows of a bill: its lines, then what changes their sum, then what is due. Rows of zero are left out. */
export function listBillLines(bill: Bill): BillLine[] {
  const format = (amount: number) => formatMoney({ amount, currency: bill.currency });
  const credit = bill.due - bill.total;
  const changes = [
    [text.discount, -bill.discount],
    [text.tax, bill.tax],
    [text.credit, credit],
  ] as const;
  const changed = changes.filter(([, amount]) => amount !== 0);
  return [
    ...bill.lines.map(({ description, amount }) => ({ label: description, amount: format(amount) })),
    ...(changed.length > 0 && bill.lines.length > 1 ? [{ label: text.subtotal, amount: format(bill.subtotal) }] : []),
    ...changed.map(([label, amount]) => ({ label, amount: format(amount) })),
    { label: text.dueToday, amount: format(bill.due), isTotal: true },
  ];
}
