import type { Billing, NewSubscription } from '@uprez/contracts/schemas/billing/billing';
import type { BillingAddress } from '@uprez/contracts/schemas/billing/billing-address';
import type { User } from '@uprez/contracts/schemas/user';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { planNameOfPath } from '@uprez/contracts/texts/plans';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import { api } from '../../../lib/api/api.ts';
import { changePath, type PlanChoice } from '../../../lib/billing/plan-paths.ts';
import { useBilling, useStoreBilling } from '../../../lib/billing/use-billing.ts';
import { type UsedCoupon, useCoupon } from '../../../lib/billing/use-coupon.ts';
import { useFocusFallback } from '../../../lib/layout/use-focus-fallback.ts';
import { useFocusOnMount } from '../../../lib/layout/use-focus-on-mount.ts';
import { useResendLink } from '../../../lib/session/use-resend-link.ts';
import { verifyEmailMessages } from '../../../lib/session/verify-email-messages.ts';
import { paths } from '../../../site-map.ts';
import { Button, buttonStyle, linkStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PaymentMethods } from '../../../ui/plans/payment-methods.tsx';
import { billingMessages } from '../messages.ts';
import { HostedPage } from '../payment/hosted-page.tsx';
import { PaymentForm } from '../payment/payment-form.tsx';
import { TestModeBadge } from '../payment/test-mode-badge.tsx';
import { useStripeLoader } from '../payment/use-stripe-loader.ts';
import { planName, planPrice } from '../plan-name.ts';
import { AddressForm } from './address-form.tsx';
import { findStanding, type Standing } from './find-standing.ts';
import { orderMessages } from './order-messages.ts';
import { OrderSummary } from './order-summary.tsx';
import { useOrder } from './use-order.ts';

const ownedText = orderMessages.owned;

type OwnedPlanProps = { subscription: NonNullable<Billing['subscription']> };

/** Stands where the order was: the account has the plan. */
function OwnedPlan({ subscription: { plan, cancelAt } }: OwnedPlanProps) {
  const onward = useFocusOnMount<HTMLAnchorElement>();
  return (
    <Card title={ownedText.title(planName(plan.tier))} className="max-w-md">
      <p role="status" className="text-muted text-sm">
        {cancelAt ? billingMessages.page.canceled(formatDay(cancelAt)) : ownedText.text(planPrice(plan))}
      </p>
      <div className="flex flex-wrap gap-2">
        <Link ref={onward} to={paths.dashboard} className={buttonStyle({})}>
          {ownedText.dashboard}
        </Link>
        <Link to={paths.billing} className={buttonStyle({ look: 'secondary' })}>
          {ownedText.manage}
        </Link>
      </div>
    </Card>
  );
}

const text = billingMessages.subscribe;

/** The page that shows the result, in the form in which the provider's own pages return to it. */
const resultPath = (kind: 'payment' | 'setup', id: string, status: string) =>
  `${paths.dashboard}?${new URLSearchParams({ [`${kind}_intent`]: id, redirect_status: status })}`;

/** Time between two reads while a payment is being processed: at first, and after the time that most payments need. */
const [pollMs, slowPollMs, quickMs] = [3_000, 15_000, 60_000];

/**
 * What the account already has of a choice; undefined until it is known. It is read again when the tab gets the focus: the plan
 * may have been bought in another one. Without an answer of the server, the order is left to say why.
 */
function useStanding(choice: PlanChoice | null) {
  const pendingSince = useRef<number>(undefined);
  const isQuick = () => pendingSince.current === undefined || Date.now() - pendingSince.current < quickMs;
  const standingOf = (billing: Billing | undefined) => choice && billing && findStanding(choice, billing);
  const { data, isError } = useBilling({
    enabled: choice !== null,
    isLive: true,
    refetchInterval: (billing) => standingOf(billing) === 'pending' && (isQuick() ? pollMs : slowPollMs),
  });
  const store = useStoreBilling();
  /** Asks the payment provider, whose events may be late. Throws ApiError. */
  const check = async (): Promise<Standing> => {
    const { data: billing } = await api.refreshBilling({ body: {} });
    store(billing);
    return choice ? findStanding(choice, billing) : 'open';
  };
  const standing: Standing | undefined = standingOf(data) || (isError ? 'open' : undefined);
  useEffect(() => {
    // The plan is active now, or its payment has failed.
    if (data && pendingSince.current !== undefined && standing !== 'pending') store(data);
    pendingSince.current = standing === 'pending' ? (pendingSince.current ?? Date.now()) : undefined;
  }, [data, standing, store]);
  return { standing, subscription: data?.subscription ?? null, check };
}

/** Says that the payment of the plan is being processed. */
const PendingPayment = () => (
  <Notice kind="info">
    <div className="flex flex-wrap items-center justify-between gap-3">
      <span role="status">{billingMessages.result.processing}</span>
      <Link to={paths.billing} className={buttonStyle({ look: 'secondary', size: 'small' })}>
        {orderMessages.owned.manage}
      </Link>
    </div>
  </Notice>
);

type OrderProps = {
  order: NewSubscription;
  coupon: UsedCoupon;
  address: BillingAddress | null;
  isTaxed: boolean;
  onChangeAddress: () => void;
  /** Whether the plan was bought elsewhere in the meantime. */
  isSettled: () => Promise<boolean>;
  isDark: boolean;
};

function Order({ order, coupon, address, isTaxed, onChangeAddress, isSettled, isDark }: OrderProps) {
  // Without an order, Stripe.js isn't needed, and the page is left.
  const loader = useStripeLoader();
  const [hasFailed, setFailed] = useState(false);
  const { confirms, clientSecret, plan, bill } = order;
  const due = { amount: bill.due, currency: bill.currency };
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <OrderSummary
        order={order}
        coupon={coupon}
        address={address}
        isTaxed={isTaxed}
        onChangeAddress={onChangeAddress}
        badge={<TestModeBadge payments={loader.data} />}
      />
      <Card title={billingMessages.payment.card}>
        <PaymentMethods />
        {hasFailed || loader.isError ? (
          <HostedPage priceId={plan.priceId} coupon={coupon.code} isSettled={isSettled} />
        ) : loader.data ? (
          <PaymentForm
            payments={loader.data}
            clientSecret={clientSecret}
            isDark={isDark}
            confirms={confirms}
            returnPath={paths.dashboard}
            label={bill.due > 0 ? text.pay(formatMoney(due)) : text.start}
            pendingLabel={text.pending}
            onConfirmed={async ({ id, status }) => window.location.assign(resultPath(confirms, id, status))}
            onLoadError={() => setFailed(true)}
            isSettled={isSettled}
          />
        ) : (
          <Skeleton className="h-64" />
        )}
      </Card>
    </div>
  );
}

const isSameAddress = (one: BillingAddress, other: BillingAddress | null) =>
  JSON.stringify(one) === JSON.stringify(other);

type SubscribeProps = { choice: PlanChoice | null; user: User; isDark: boolean };

/** The order of a plan, and the form that pays it. `choice`: null if none was made. */
export function Subscribe({ choice, user, isDark }: SubscribeProps) {
  const coupon = useCoupon(choice);
  const [address, setAddress] = useState<BillingAddress | null>(null);
  // Kept as the default of the form.
  const [lastAddress, setLastAddress] = useState<BillingAddress | null>(null);
  const [isEditing, setEditing] = useState(false);
  const { standing, subscription, check } = useStanding(user.emailVerified ? choice : null);
  const order = useOrder({
    choice,
    coupon: coupon.code,
    address,
    isOpen: user.emailVerified && standing === 'open',
    check,
    onCouponError: coupon.remove,
  });
  const skeleton = <Skeleton className="h-96 rounded-card" />;
  const asksAddress = order.needsAddress || isEditing;
  const stage = order.hasFailed ? 'failed' : asksAddress ? 'address' : order.query.status;
  // Each view replaces the controls of the one before.
  const region = useFocusFallback<HTMLDivElement>([user.emailVerified, standing, stage].join(' '));
  const show = (view: ReactNode) => (
    <div ref={region} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] outline-none">
      {view}
    </div>
  );
  if (choice && !user.emailVerified) return show(<ConfirmEmail email={user.email} />);
  if (choice && standing === 'owned' && subscription) return show(<OwnedPlan subscription={subscription} />);
  if (choice && standing === 'subscriber') return <Navigate to={changePath(choice, coupon.code)} replace />;
  if (standing === 'pending') return show(<PendingPayment />);
  // After an error, the page is left.
  if (order.hasFailed) return show(skeleton);
  if (asksAddress)
    return show(
      <AddressForm
        address={lastAddress}
        error={order.addressError}
        isTaxed={order.isTaxed}
        onBack={order.needsAddress ? undefined : () => setEditing(false)}
        onSubmit={(entered) => {
          // The query of another address starts by itself.
          if (isSameAddress(entered, address)) void order.query.refetch();
          setLastAddress(entered);
          setAddress(entered);
          setEditing(false);
        }}
      />,
    );
  return show(
    <QueryView query={order.query} skeleton={skeleton}>
      {(data) => (
        <Order
          key={data.clientSecret}
          order={data}
          coupon={coupon}
          address={address}
          isTaxed={order.isTaxed}
          onChangeAddress={() => setEditing(true)}
          isSettled={async () => (await check()) !== 'open'}
          isDark={isDark}
        />
      )}
    </QueryView>,
  );
}

/** Stands where the order will be until the email address is confirmed. The user is loaded again when the tab gets the focus. */
function ConfirmEmail({ email }: { email: string }) {
  const { pathname, search } = useLocation();
  const path = pathname + search;
  const resend = useResendLink(path);
  return (
    <Card title={verifyEmailMessages.title} className="max-w-md">
      <p className="text-muted text-sm">{text.confirm(email, planNameOfPath(path))}</p>
      <Button look="secondary" pending={resend.isPending} onClick={() => resend.mutate()}>
        {verifyEmailMessages.resend}
      </Button>
      <Link to={paths.pricing} className={linkStyle}>
        {text.other}
      </Link>
    </Card>
  );
}
