import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { usePlans } from '../../../lib/api/queries.ts';
import { isSubscribed } from '../../../lib/billing/is-subscribed.ts';
import { couponName, readPlanChoice } from '../../../lib/billing/plan-paths.ts';
import { useBilling } from '../../../lib/billing/use-billing.ts';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { cardAnchor } from '../anchors.ts';
import { Invoices } from '../invoices/invoices.tsx';
import { CardSection } from './card-section.tsx';
import { ChangeSection } from './change-section.tsx';
import { LeaveSection } from './leave-section.tsx';
import { PacksSection } from './packs-section.tsx';
import { PlanSection } from './plan-section.tsx';
import { UnpaidSection } from './unpaid-section.tsx';
import { useSetupReturn } from './use-setup-return.ts';

/**
 * The price of `?plan=`, which links to a change name. Removed once the change is made or dropped, together with the code. Another
 * plan keeps the code.
 */
function useChosenPrice() {
  const [query, setQuery] = useSearchParams();
  const choose = (plan: string | null) => {
    const coupon = query.get(couponName);
    const next = plan === null ? {} : { plan, ...(coupon && { [couponName]: coupon }) };
    setQuery(next, { replace: true, preventScrollReset: true });
  };
  return [readPlanChoice(query), choose] as const;
}

/** `deletesAt`: when the account will be deleted. */
type ManageProps = { isDark: boolean; deletesAt: string | null };

type SectionsProps = { billing: Billing; cards: readonly PlanCard[] } & ManageProps;

function Sections({ billing, cards, isDark, deletesAt }: SectionsProps) {
  const { hash } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const [chosen, choose] = useChosenPrice();
  const [cardRequests, setCardRequests] = useState(hash === cardAnchor ? 1 : 0);
  const { subscription, unpaid } = billing;
  const isActive = isSubscribed(billing);
  // The control that had the focus is gone.
  const focusPlan = () => heading.current?.focus();
  return (
    <>
      {unpaid && (
        <UnpaidSection
          unpaid={unpaid}
          override={billing.override}
          onPaid={focusPlan}
          onChangeCard={() => setCardRequests((count) => count + 1)}
        />
      )}
      <PlanSection
        billing={billing}
        deletesAt={deletesAt}
        headingRef={heading}
        onDone={focusPlan}
        onPriced={() => choose(subscription?.plan.priceId ?? null)}
      />
      <ChangeSection
        billing={billing}
        deletesAt={deletesAt}
        cards={cards}
        chosen={chosen}
        onChoose={choose}
        onDone={() => {
          choose(null);
          focusPlan();
        }}
      />
      {isActive && <CardSection billing={billing} isDark={isDark} requests={cardRequests} />}
      <PacksSection bought={billing.packs} />
      <Invoices />
      {isActive && subscription && subscription.cancelAt === null && (
        <LeaveSection billing={billing} subscription={subscription} onDone={focusPlan} />
      )}
    </>
  );
}

/** The plan, its changes, the payment method, and the invoices of the account. */
export function Manage(props: ManageProps) {
  useSetupReturn();
  const plans = usePlans();
  const billing = useBilling({ isLive: true });
  const skeleton = <Skeleton className="h-64 rounded-card" />;
  return (
    <QueryView query={plans} skeleton={skeleton}>
      {(cards) => (
        <QueryView query={billing} skeleton={skeleton}>
          {(data) => <Sections billing={data} cards={cards} {...props} />}
        </QueryView>
      )}
    </QueryView>
  );
}
