import type { User } from '@uprez/contracts/schemas/user';
import { usePlans } from '../../lib/api/use-plans.ts';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { pricingMessages as text } from '../../ui/plans/messages.ts';
import { PlanCard } from './plan-card.tsx';

/** All plans side by side, or in a row with scroll snapping on small screens. */
export function PlanCards({ user }: { user: User | null }) {
  const plans = usePlans();
  return (
    <div className="grid min-h-160 grid-cols-[minmax(0,1fr)] content-start">
      <QueryView query={plans} skeleton={<Skeleton className="h-160" />}>
        {(cards) => (
          <ul
            aria-label={text.list}
            className="-mx-4 grid snap-x snap-mandatory auto-cols-[min(17rem,82vw)] grid-flow-col grid-rows-[repeat(3,auto)] gap-x-3 overflow-x-auto p-4 sm:-mx-6 sm:px-6 xl:mx-0 xl:auto-cols-fr xl:snap-none xl:overflow-visible xl:px-0"
          >
            {cards.map((card) => (
              <PlanCard key={card.key} card={card} user={user} />
            ))}
          </ul>
        )}
      </QueryView>
    </div>
  );
}
