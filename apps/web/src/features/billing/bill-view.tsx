import type { Bill, BillLine, Money } from '@uprez/contracts/schemas/billing/billing';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import clsx from 'clsx';
import { billingMessages } from './messages.ts';
import { planName } from './plan-name.ts';

type BillRow = { label: string; amount: string; isTotal?: true };

function describeLine(line: BillLine): string {
  if (line.kind === 'other') return line.description;
  return text.lines[line.kind](planName(line.tier), formatDay(line.from), formatDay(line.until));
}

/** Omits adjustments that are zero. Includes the subtotal only if several lines are adjusted. */
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

/** `bill`: null if nothing is due today. */
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
