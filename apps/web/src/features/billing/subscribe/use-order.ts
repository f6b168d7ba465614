import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { BillingAddress, NewSubscription } from '@uprez/contracts/schemas/billing/billing';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../../lib/api/api.ts';
import { errorMessage, hasErrorCode, showErrorToast } from '../../../lib/api/api-errors.ts';
import { isCouponError } from '../../../lib/billing/is-coupon-error.ts';
import { changePath, type PlanChoice } from '../../../lib/billing/plan-paths.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { paths } from '../../../site-map.ts';
import { billingMessages } from '../messages.ts';
import { usePaymentConfig } from '../payment/use-payment-config.ts';

const text = billingMessages.subscribe;

type OrderOptions = {
  /** Null: none was chosen. */
  choice: PlanChoice | null;
  coupon: string | null;
  /** Where the buyer pays tax; null: not entered yet. */
  address: BillingAddress | null;
  /** Nothing is ordered before the email address is confirmed. */
  isVerified: boolean;
  /** Called if the code can't be used. */
  onCouponError: () => void;
};

/**
 * The order of a plan, with the secret for its payment. Leaves for the pricing page without a plan or after an error, and
 * for the billing page of subscribers. An ended session is left to the page. `needsAddress`: the order starts once an
 * address is entered, or the entered one can't be used.
 */
export function useOrder({ choice, coupon, address, isVerified, onCouponError }: OrderOptions) {
  const navigate = useNavigate();
  const config = usePaymentConfig({ enabled: choice !== null && isVerified });
  const isAddressMissing = config.data?.collectsTax === true && address === null;
  const order = useQuery<NewSubscription>({
    queryKey: [apiRoutes.createSubscription.path, choice, coupon, address],
    queryFn: async () => {
      const { plan: priceId = '', interval } = choice ?? {};
      const options = { interval, ...(coupon && { coupon }), ...(address && { billingAddress: address }) };
      return (await api.createSubscription({ body: { priceId, ...options } })).data;
    },
    enabled: choice !== null && isVerified && config.isSuccess && !isAddressMissing,
    // The next visit may find another price, and the secret shouldn't be kept.
    gcTime: 0,
    networkMode: 'always',
  });
  const error = config.error ?? order.error;
  const dropCoupon = useEffectEvent(onCouponError);
  const isAddressInvalid = error !== null && hasErrorCode(error, 'billing_address_invalid');
  useEffect(() => {
    if (choice === null) {
      showToast({ ...text.noPlan, destructive: true });
      void navigate(paths.pricing, { replace: true });
    } else if (error && coupon && isCouponError(error)) {
      showErrorToast(text.couponFailed, error);
      dropCoupon();
    } else if (error && !isAddressInvalid && !hasErrorCode(error, 'not_signed_in')) {
      showErrorToast(text.failed, error);
      const isSubscriber = hasErrorCode(error, 'already_subscribed');
      void navigate(isSubscriber ? changePath(choice, coupon) : paths.pricing, { replace: true });
    }
  }, [choice, coupon, error, isAddressInvalid, navigate]);
  return {
    query: order,
    hasFailed: error !== null && !isAddressInvalid,
    needsAddress: isAddressMissing || isAddressInvalid,
    addressError: isAddressInvalid && address ? errorMessage(error) : undefined,
  };
}
