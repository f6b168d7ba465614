import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Billing, BillingConfig, NewSubscription } from '@uprez/contracts/schemas/billing/billing';
import type { BillingAddress } from '@uprez/contracts/schemas/billing/billing-address';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../../lib/api/api.ts';
import { describeError, hasErrorCode, showErrorToast } from '../../../lib/api/api-errors.ts';
import { isSubscribed } from '../../../lib/billing/is-subscribed.ts';
import { changePath, type PlanChoice } from '../../../lib/billing/plan-paths.ts';
import { isCouponError } from '../../../lib/billing/use-coupon.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { paths } from '../../../site-map.ts';
import { billingMessages } from '../messages.ts';

const text = billingMessages.subscribe;

type OrderOptions = {
  /** Null if no plan was chosen. */
  choice: PlanChoice | null;
  coupon: string | null;
  /** The address that determines the tax, or null until the user enters it. */
  address: BillingAddress | null;
  /** Whether the plan can be ordered: the email address is confirmed, and the account doesn't have a plan yet. */
  isOpen: boolean;
  /** Called if the server reports a subscription that the browser didn't know about. */
  check: () => Promise<Standing>;
  onCouponError: () => void;
};

/**
 * Creates the order for a plan, including the client secret for its payment. Redirects to the pricing page if no plan
 * was chosen or an error occurs. Redirects to the billing page if the server reports a subscription that `check`
 * doesn't find. Ignores an ended session, because the page handles it.
 *
 * `needsAddress`: whether the user must enter or correct an address first.
 */
export function useOrder({ choice, coupon, address, isOpen, check, onCouponError }: OrderOptions) {
  const navigate = useNavigate();
  const config = usePaymentConfig({ enabled: choice !== null && isOpen });
  const isAddressMissing = config.data?.collectsTax === true && address === null;
  const order = useQuery<NewSubscription>({
    queryKey: [apiRoutes.createSubscription.path, choice, coupon, address],
    queryFn: async () => {
      const { plan: priceId = '', interval } = choice ?? {};
      const options = { interval, ...(coupon && { coupon }), ...(address && { billingAddress: address }) };
      return (await api.createSubscription({ body: { priceId, ...options } })).data;
    },
    enabled: choice !== null && isOpen && config.isSuccess && !isAddressMissing,
    // Not cached, because the price may have changed by the next visit, and the client secret shouldn't be kept.
    gcTime: 0,
    networkMode: 'always',
  });
  const error = config.error ?? order.error;
  const dropCoupon = useEffectEvent(onCouponError);
  const leave = useEffectEvent((reason: unknown, path: string) => {
    showErrorToast(text.failed, reason);
    void navigate(path, { replace: true });
  });
  const findSubscription = useEffectEvent(async (reason: unknown, path: string) => {
    if ((await check().catch(() => 'open')) === 'open') leave(reason, path);
  });
  const isAddressInvalid = error !== null && hasErrorCode(error, 'billing_address_invalid');
  useEffect(() => {
    if (choice === null) {
      showToast({ ...text.noPlan, destructive: true });
      void navigate(paths.pricing, { replace: true });
    } else if (error && coupon && isCouponError(error)) {
      showErrorToast(text.couponFailed, error);
      dropCoupon();
    } else if (error && !isAddressInvalid && !hasErrorCode(error, 'not_signed_in')) {
      if (hasErrorCode(error, 'already_subscribed')) void findSubscription(error, changePath(choice, coupon));
      else leave(error, paths.pricing);
    }
  }, [choice, coupon, error, isAddressInvalid, navigate]);
  return {
    query: order,
    isTaxed: config.data?.collectsTax === true,
    hasFailed: error !== null && !isAddressInvalid,
    needsAddress: isAddressMissing || isAddressInvalid,
    addressError: isAddressInvalid && address ? describeError(error) : undefined,
  };
}

/**
 * Reads the payment settings that a purchase depends on. Fetches them on each visit, because an administrator may have
 * changed them.
 */
const usePaymentConfig = ({ enabled }: { enabled: boolean }) =>
  useQuery<BillingConfig>({
    queryKey: [apiRoutes.billingConfig.path],
    enabled,
    gcTime: 0,
    networkMode: 'always',
  });

/**
 * What an account already has when the user opens the order page for a plan.
 * - `owned`: this plan.
 * - `pending`: this plan, but its payment is being processed.
 * - `subscriber`: another plan, or this plan if it must be paid or resumed first.
 * - `open`: nothing, so the plan can be bought.
 */
export type Standing = 'owned' | 'pending' | 'subscriber' | 'open';

type Subscription = NonNullable<Billing['subscription']>;

/** Whether a plan choice is the subscription's own plan at the price that the account pays. */
function isOwnPlan({ plan, interval = 'month' }: PlanChoice, { plan: own, planVersion }: Subscription): boolean {
  if (plan === own.priceId) return true;
  const isCurrent = planOf({ tier: own.tier, planVersion }) === currentPlans[own.tier];
  return plan === own.tier && interval === own.interval && isCurrent;
}

export function findStanding(choice: PlanChoice, billing: Pick<Billing, 'subscription'>): Standing {
  const { subscription } = billing;
  if (!subscription) return 'open';
  const isOwn = isOwnPlan(choice, subscription);
  if (isSubscribed(billing))
    return isOwn && subscription.badge === 'active' && !subscription.pausedUntil ? 'owned' : 'subscriber';
  return isOwn && subscription.badge === 'pending' ? 'pending' : 'open';
}
