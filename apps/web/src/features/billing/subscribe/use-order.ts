import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { BillingAddress, NewSubscription } from '@uprez/contracts/schemas/billing/billing';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../../lib/api/api.ts';
import { errorMessage, hasErrorCode, showErrorToast } from '../../../lib/api/api-errors.ts';
import { isCouponError } from '../../../lib/billing/is-coupon-error.ts';
import { changePath } from '../../../lib/billing/plan-paths.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { paths } from '../../../site-map.ts';
import { billingMessages } from '../messages.ts';
import { usePaymentConfig } from '../payment/use-payment-config.ts';

const text = billingMessages.subscribe;

const couponErrors = [
  'coupon_not_found',
  'coupon_expired',
  'coupon_used_up',
  'coupon_disabled',
  'coupon_wrong_plan',
  'coupon_used',
  'coupon_second',
] as const;
const isCouponError = (error: Error) => couponErrors.some((code) => hasErrorCode(error, code));

type OrderOptions = {
  /** A price ID or the key of a plan; null: none was chosen. */
  plan: string | null;
  coupon: string | null;
  /** Where the buyer pays tax; null: not entered yet. */
  address: BillingAddress | null;
  /** Called if the code can't be used. */
  onCouponError: () => void;
};

/**
 * The order of a plan, with the secret for its payment. Leaves for the pricing page without a plan or after an error, and
 * for the billing page of subscribers. An ended session is left to the page. `needsAddress`: the order starts once an
 * address is entered, or the entered one can't be used.
 */
export function useOrder({ plan, coupon, address, onCouponError }: OrderOptions) {
  const navigate = useNavigate();
  const config = usePaymentConfig({ enabled: plan !== null });
  const isAddressMissing = config.data?.collectsTax === true && address === null;
  const order = useQuery<NewSubscription>({
    queryKey: [routes.createSubscription.path, plan, coupon, address],
    queryFn: async () => {
      const options = { ...(coupon && { coupon }), ...(address && { billingAddress: address }) };
      return (await api.createSubscription({ body: { priceId: plan ?? '', ...options } })).data;
    },
    enabled: plan !== null && config.isSuccess && !isAddressMissing,
    // The next visit may find another price, and the secret shouldn't be kept.
    gcTime: 0,
    networkMode: 'always',
  });
  const error = config.error ?? order.error;
  const isAddressInvalid = error !== null && hasErrorCode(error, 'billing_address_invalid');
  useEffect(() => {
    if (plan === null) {
      showToast({ ...text.noPlan, destructive: true });
      void navigate(paths.pricing, { replace: true });
    } else if (error && coupon && isCouponError(error)) {
      showErrorToast(text.couponFailed, error);
      onCouponError();
    } else if (error && !isAddressInvalid && !hasErrorCode(error, 'not_signed_in')) {
      showErrorToast(text.failed, error);
      const isSubscriber = hasErrorCode(error, 'already_subscribed');
      void navigate(isSubscriber ? changePath(plan, coupon) : paths.pricing, { replace: true });
    }
  }, [plan, coupon, error, isAddressInvalid, navigate, onCouponError]);
  return {
    query: order,
    hasFailed: error !== null && !isAddressInvalid,
    needsAddress: isAddressMissing || isAddressInvalid,
    addressError: isAddressInvalid && address ? errorMessage(error) : undefined,
  };
}
