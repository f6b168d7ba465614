import type { Bill, Money } from '@uprez/contracts/schemas/billing/billing';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import clsx from 'clsx';
import { type BillRow, listBillLines } from './bill-lines.ts';
import { billingMessages } from './messages.ts';

const text = billingMessages.bill;

type BillViewProps = { bill: Bill | null; next: Money & { at: string } };

function Row({ label, amount, isTotal }: BillRow) {
  return (
    <div className={clsx('flex items-baseline justify-between gap-4 py-2', isTotal && 'font-medium')}>
      <dt className="min-w-0 wrap-anywhere">{label}</dt>
      <dd className="shrink-0 tabular-nums">{amount}</dd>
    </div>
  );
}

/** What is due today, and the next bill. `bill`: null if nothing is due today. */
export function BillView({ bill, next }: BillViewProps) {
  const lines = bill ? listBillLines(bill) : [];
  return (
    <dl aria-label={text.list} className="divide-y divide-line text-sm">
      {lines.map((line) => (
        <Row key={line.label + line.amount} {...line} />
      ))}
      <Row label={text.next} amount={text.nextValue(formatMoney(next), formatDay(next.at))} />
    </dl>
  );
}
