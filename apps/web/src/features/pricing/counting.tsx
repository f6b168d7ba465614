import { pricingMessages } from '../../ui/plans/messages.ts';

const text = pricingMessages.counts;

export function Counting() {
  return (
    <dl className="divide-y divide-line rounded-card border border-line bg-surface text-sm">
      {text.rows.map(([what, costs]) => (
        <div key={what} className="flex items-baseline justify-between gap-6 px-4 py-3">
          <dt>{what}</dt>
          <dd className="shrink-0 font-medium tabular-nums">{costs}</dd>
        </div>
      ))}
    </dl>
  );
}
