import { usePlans } from '../../lib/api/queries.ts';
import { formatPrice } from '../../lib/format/format.ts';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { pricingMessages as text } from '../../ui/plans/messages.ts';

export function PlanList() {
  const plans = usePlans();
  return (
    <div className="min-h-96">
      <QueryView query={plans} skeleton={<Skeleton className="h-96" />}>
        {(cards) => (
          <ul aria-label={text.list} className="grid gap-2">
            {cards.map(({ key, name, price, period, features: [first] }) => (
              <li key={key} className="grid gap-0.5 rounded-card border border-line bg-surface px-4 py-3 text-sm">
                <span className="flex items-baseline justify-between gap-4">
                  <span className="font-medium">{name}</span>
                  <span className="flex items-baseline gap-1 text-muted text-xs">
                    <span className="font-medium text-base text-ink tabular-nums">{formatPrice(price)}</span>
                    {text.period[period]}
                  </span>
                </span>
                <span className="text-muted">{first}</span>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </div>
  );
}
