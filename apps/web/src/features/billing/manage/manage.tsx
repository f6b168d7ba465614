import type { Billing, BoughtPack } from '@uprez/contracts/schemas/billing/billing';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { formatDay } from '@uprez/contracts/texts/format';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { api } from '../../../lib/api/api.ts';
import { usePlans } from '../../../lib/api/queries.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { isSubscribed } from '../../../lib/billing/is-subscribed.ts';
import { couponName, readPlanChoice } from '../../../lib/billing/plan-paths.ts';
import { useBilling, useStoreBilling } from '../../../lib/billing/use-billing.ts';
import { usePacks } from '../../../lib/billing/use-packs.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { PackList } from '../../../ui/plans/pack-list.tsx';
import { packMessages as packText } from '../../../ui/plans/pack-messages.ts';
import { cardAnchor, payAnchor } from '../anchors.ts';
import { BillingSection } from '../billing-section.tsx';
import { describeUnpaid } from '../describe-unpaid.ts';
import { Invoices } from '../invoices/invoices.tsx';
import { billingMessages } from '../messages.ts';
import { readReturn, withoutReturn } from '../result/purchase-return.ts';
import { CardSection } from './card-section.tsx';
import { ChangeSection } from './change-section.tsx';
import { LeaveSection } from './leave-section.tsx';
import { PlanSection } from './plan-section.tsx';
import { useBillingAction } from './use-billing-action.ts';

const unpaidText = billingMessages.unpaid;

type UnpaidSectionProps = Parameters<typeof describeUnpaid>[0] & { onPaid: () => void; onChangeCard: () => void };

/** The unpaid bill, with the buttons that pay it. */
function UnpaidSection({ onPaid, onChangeCard, ...unpaid }: UnpaidSectionProps) {
  const { hash } = useLocation();
  const pay = useBillingAction({
    call: () => api.payInvoice(),
    done: () => unpaidText.paid,
    failed: billingMessages.payment.failed,
    onDone: onPaid,
  });
  const focus = (button: HTMLButtonElement | null) => button?.focus();
  return (
    <section aria-label={unpaidText.region}>
      <Notice kind="warning">
        <div className="grid gap-3">
          <p>{describeUnpaid(unpaid)}</p>
          <div className="flex flex-wrap gap-2">
            <Button ref={hash === payAnchor ? focus : undefined} pending={pay.isPending} onClick={() => pay.mutate()}>
              {unpaidText.pay}
            </Button>
            <Button look="secondary" onClick={onChangeCard}>
              {unpaidText.open}
            </Button>
          </div>
        </div>
      </Notice>
    </section>
  );
}

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

const text = billingMessages.card;

/** Completes a change of the payment method that was confirmed on a page of its own, such as PayPal's. */
function useSetupReturn(): void {
  const [query, setQuery] = useSearchParams();
  const store = useStoreBilling();
  const { mutate } = useResourceMutation({
    call: async () => (await api.refreshBilling({ body: {} })).data,
    onSuccess: (billing) => {
      store(billing);
      showToast({ title: text.saved });
    },
    errorTitle: text.failed,
  });
  const hasFailed = readReturn(query)?.hasFailed;
  useEffect(() => {
    if (hasFailed === undefined) return;
    setQuery(withoutReturn, { replace: true, preventScrollReset: true });
    if (hasFailed) showToast({ title: text.failed, description: text.notConfirmed, destructive: true });
    else mutate();
  }, [hasFailed, setQuery, mutate]);
}

function BoughtPacks({ packs }: { packs: readonly BoughtPack[] }) {
  return (
    <div className="grid gap-2">
      <h3 className="text-base">{packText.bought}</h3>
      <ul aria-label={packText.bought} className="divide-y divide-line border-line border-y text-sm">
        {packs.map((pack) => (
          <li key={pack.boughtAt} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-3">
            <span className="grid min-w-0">
              <span className="font-medium tabular-nums">{packText.name(pack)}</span>
              <span className="text-muted">{packText.boughtOn(formatDay(pack.boughtAt))}</span>
            </span>
            <span className="text-muted tabular-nums">{packText.left(pack)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The packs on sale, and those of the account. Nothing if there are none of both. */
function PacksSection({ bought }: { bought: readonly BoughtPack[] }) {
  const { data: packs = [] } = usePacks();
  if (packs.length === 0 && bought.length === 0) return null;
  return (
    <BillingSection title={packText.title}>
      {packs.length > 0 && (
        <>
          <p className="text-muted text-sm">{packText.lead}</p>
          <PackList packs={packs} isSignedIn />
        </>
      )}
      {bought.length > 0 && <BoughtPacks packs={bought} />}
    </BillingSection>
  );
}
