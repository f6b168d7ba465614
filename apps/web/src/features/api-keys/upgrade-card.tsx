import { countImages } from '@uprez/contracts/policy/meters';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { usePlans } from '../../lib/api/queries.ts';
import { paths } from '../../site-map.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { apiKeysMessages } from './messages.ts';

const text = apiKeysMessages.upgrade;

function Plan({ plan: { name, price, period, entitlements } }: { plan: PlanCard }) {
  const { included, callsPerMinute } = entitlements;
  return (
    <li className="grid gap-1 rounded-control border border-line p-3 text-sm">
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{name}</span>
        <span className="tabular-nums">{text.price(price, period)}</span>
      </span>
      <span className="text-muted tabular-nums">
        {'shared' in included && text.included(countImages(included.shared, 'shared'))}
      </span>
      <span className="text-muted tabular-nums">{text.callsPerMinute(callsPerMinute)}</span>
    </li>
  );
}

export function UpgradeCard() {
  const plans = usePlans();
  return (
    <Card title={text.title}>
      <ul className="grid gap-1.5 text-sm">
        {text.facts.map((fact) => (
          <li key={fact} className="flex gap-2">
            <Check aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-4 shrink-0 text-success" />
            {fact}
          </li>
        ))}
      </ul>
      <QueryView query={plans} skeleton={<Skeleton className="h-24 w-full" />}>
        {(all) => (
          <ul aria-label={text.plans} className="grid gap-3 sm:grid-cols-3">
            {all
              .filter(({ entitlements }) => entitlements.api)
              .map((plan) => (
                <Plan key={plan.key} plan={plan} />
              ))}
          </ul>
        )}
      </QueryView>
      <Link to={paths.pricing} className={buttonStyle({ className: 'justify-self-start' })}>
        {text.open}
      </Link>
    </Card>
  );
}
