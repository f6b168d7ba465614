import { useQuery } from '@tanstack/react-query';
import type { Billing, NewSubscription } from '@uprez/contracts/schemas/billing/billing';
import type { BillingAddress } from '@uprez/contracts/schemas/billing/billing-address';
import type { User } from '@uprez/contracts/schemas/user';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { findPlanNameOfPath } from '@uprez/contracts/texts/plans';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import { api } from '../../../lib/api/api.ts';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { usePlans } from '../../../lib/api/queries.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { changePath, type PlanChoice, readPlanChoice } from '../../../lib/billing/plan-paths.ts';
import { showCheckoutError } from '../../../lib/billing/show-checkout-error.ts';
import { useBilling, useStoreBilling } from '../../../lib/billing/use-billing.ts';
import { type UseCouponResult, useCoupon } from '../../../lib/billing/use-coupon.ts';
import { useFocusFallback, useFocusOnMount } from '../../../lib/layout/focus.ts';
import { useResendLink, verifyEmailMessages } from '../../../lib/session/use-resend-link.ts';
import { messages } from '../../../messages.ts';
import { paths } from '../../../site-map.ts';
import { Button, buttonStyle, linkStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PageHeading } from '../../../ui/layout/page-heading.tsx';
import { CouponField } from '../../../ui/plans/coupon-field.tsx';
import { PaymentMethods } from '../../../ui/plans/payment-methods.tsx';
import { useIsDark } from '../../theme/theme-switch.tsx';
import { BillView } from '../bill-view.tsx';
import { billingMessages } from '../messages.ts';
import { openStripe } from '../payment/open-stripe.ts';
import { PaymentForm, TestModeBadge } from '../payment/payment-form.tsx';
import { PlanHighlights } from '../plan-highlights.tsx';
import { formatPlanPrice, planName } from '../plan-name.ts';
import { AddressForm, countryName } from './address-form.tsx';
import { orderMessages } from './order-messages.ts';
import { findStanding, type Standing, useOrder } from './use-order.ts';

/** Order page for the plan in `?plan=` and `?interval=`. */
export function SubscribePage({ user }: { user: User }) {
  const [query] = useSearchParams();
  const isDark = useIsDark();
  const choice = useMemo(() => readPlanChoice(query), [query]);
  return (
    <div className="mx-auto grid w-full max-w-220 grid-cols-[minmax(0,1fr)] content-start gap-6 px-4 py-10 sm:px-6 md:py-16">
      <PageHeading title={messages.page.subscribe} className="text-xl">
        {billingMessages.subscribe.title}
      </PageHeading>
      <Subscribe choice={choice} user={user} isDark={isDark} />
    </div>
  );
}

const { subscribe: orderSummaryText } = billingMessages;

const { address: addressText } = orderMessages;

type OrderSummaryProps = {
  order: NewSubscription;
  coupon: UseCouponResult;
  /** Null if the user hasn't entered an address. */
  address: BillingAddress | null;
  /** Whether tax is collected for this address. */
  isTaxed: boolean;
  onChangeAddress: () => void;
  badge: ReactNode;
};

function OrderSummary({ order, coupon, address, isTaxed, onChangeAddress, badge }: OrderSummaryProps) {
  const { plan, bill, next } = order;
  const card = usePlans().data?.find(({ key }) => key === plan.tier);
  return (
    <Card title={orderSummaryText.order} actions={badge}>
      <div>
        <p className="font-medium">{orderSummaryText.plan(planName(plan.tier))}</p>
        <p className="text-muted text-sm tabular-nums">{formatPlanPrice(plan)}</p>
      </div>
      {card && <PlanHighlights card={card} />}
      <BillView bill={bill} next={next} />
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        {address && (
          <span className="wrap-anywhere">
            {isTaxed
              ? addressText.used(countryName(address.country), address.postalCode)
              : addressText.invoiced(address.company ?? countryName(address.country))}
          </span>
        )}
        <Button look="secondary" size="small" onClick={onChangeAddress}>
          {address ? addressText.change : addressText.add}
        </Button>
      </div>
      <CouponField coupon={coupon} />
      <p className="text-muted text-sm">{orderSummaryText.renews(plan.interval)}</p>
      <Link
        to={paths.pricing}
        className="justify-self-start text-muted text-sm underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
      >
        {orderSummaryText.other}
      </Link>
    </Card>
  );
}

const ownedText = orderMessages.owned;

type OwnedPlanProps = { subscription: NonNullable<Billing['subscription']> };

function OwnedPlan({ subscription: { plan, cancelAt } }: OwnedPlanProps) {
  const onward = useFocusOnMount<HTMLAnchorElement>();
  return (
    <Card title={ownedText.title(planName(plan.tier))} className="max-w-md">
      <p role="status" className="text-muted text-sm">
        {cancelAt ? billingMessages.page.canceled(formatDay(cancelAt)) : ownedText.text(formatPlanPrice(plan))}
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

/** Returns the path of the page that shows the result, with the same parameters that the provider's pages add. */
const resultPath = (kind: 'payment' | 'setup', id: string, status: string) =>
  `${paths.dashboard}?${new URLSearchParams({ [`${kind}_intent`]: id, redirect_status: status })}`;

/**
 * Polling intervals while a payment is being processed. Most payments are processed within `quickMs`, so `slowPollMs`
 * replaces `pollMs` after that.
 */
const [pollMs, slowPollMs, quickMs] = [3_000, 15_000, 60_000];

/**
 * Returns what the account already has, or undefined until it is known. Refetches it when the tab gets the focus,
 * because the plan may have been bought in another tab. If the request fails, returns `open`: creating the order then
 * shows the error.
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
  /**
   * Refreshes the billing state from the payment provider, because the provider's events may be late. Throws ApiError.
   */
  const check = async (): Promise<Standing> => {
    const { data: billing } = await api.refreshBilling({ body: {} });
    store(billing);
    return choice ? findStanding(choice, billing) : 'open';
  };
  const standing: Standing | undefined = standingOf(data) || (isError ? 'open' : undefined);
  useEffect(() => {
    // Stores the billing state when the payment is no longer pending: the plan is active, or the payment has failed.
    if (data && pendingSince.current !== undefined && standing !== 'pending') store(data);
    pendingSince.current = standing === 'pending' ? (pendingSince.current ?? Date.now()) : undefined;
  }, [data, standing, store]);
  return { standing, subscription: data?.subscription ?? null, check };
}

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
  coupon: UseCouponResult;
  address: BillingAddress | null;
  isTaxed: boolean;
  onChangeAddress: () => void;
  /** Whether the plan was bought elsewhere in the meantime. */
  isSettled: () => Promise<boolean>;
  isDark: boolean;
};

function Order({ order, coupon, address, isTaxed, onChangeAddress, isSettled, isDark }: OrderProps) {
  // Loads Stripe.js only once there is an order. If the order fails, the user is redirected, and Stripe.js isn't
  // needed.
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

/** `choice`: null if no plan was chosen. */
function Subscribe({ choice, user, isDark }: SubscribeProps) {
  const coupon = useCoupon(choice);
  const [address, setAddress] = useState<BillingAddress | null>(null);
  // Keeps the last address, because the form shows it again.
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
  // Moves the focus to the region if a new view removes the control that had it.
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
  // Keeps the placeholder, because the user is being redirected.
  if (order.hasFailed) return show(skeleton);
  if (asksAddress)
    return show(
      <AddressForm
        address={lastAddress}
        error={order.addressError}
        isTaxed={order.isTaxed}
        onBack={order.needsAddress ? undefined : () => setEditing(false)}
        onSubmit={(entered) => {
          // An unchanged address has the same query key, so it must be refetched explicitly.
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

function ConfirmEmail({ email }: { email: string }) {
  const { pathname, search } = useLocation();
  const path = pathname + search;
  const resend = useResendLink(path);
  return (
    <Card title={verifyEmailMessages.title} className="max-w-md">
      <p className="text-muted text-sm">{text.confirm(email, findPlanNameOfPath(path))}</p>
      <Button look="secondary" pending={resend.isPending} onClick={() => resend.mutate()}>
        {verifyEmailMessages.resend}
      </Button>
      <Link to={paths.pricing} className={linkStyle}>
        {text.other}
      </Link>
    </Card>
  );
}

const useStripeLoader = ({ enabled = true }: { enabled?: boolean } = {}) =>
  useQuery({ queryKey: ['stripe'], queryFn: openStripe, enabled, networkMode: 'always' });

type HostedPageProps = {
  priceId: string;
  coupon: string | null;
  /** Called if the account already has a subscription. If it resolves to true, no error is shown. */
  isSettled: () => Promise<boolean>;
};

/** Offers the provider's hosted page if the form can't be loaded. */
function HostedPage({ priceId, coupon, isSettled }: HostedPageProps) {
  const open = useResourceMutation({
    call: async () => (await api.createCheckoutSession({ body: { priceId, ...(coupon && { coupon }) } })).data,
    onSuccess: ({ url }) => window.location.assign(url),
    onError: async (error) => {
      const isSubscribed = hasErrorCode(error, 'already_subscribed') && (await isSettled().catch(() => false));
      if (!isSubscribed) showCheckoutError(error);
    },
  });
  return (
    <div className="grid gap-4">
      <Notice kind="warning">{billingMessages.payment.notLoaded}</Notice>
      <Button size="wide" pending={open.isPending} onClick={() => open.mutate()}>
        {billingMessages.subscribe.hosted}
      </Button>
    </div>
  );
}
