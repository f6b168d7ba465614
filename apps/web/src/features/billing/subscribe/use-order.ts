import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { NewSubscription } from '@uprez/contracts/schemas/billing/billing';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../../lib/api/api.ts';
import { hasErrorCode, showErrorToast } from '../../../lib/api/api-errors.ts';
import { changePath } from '../../../lib/billing/plan-paths.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { paths } from '../../../site-map.ts';
import { billingMessages } from '../messages.ts';

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

/**
 * The order of a plan, with the secret for its payment. Leaves for the pricing page without a plan or after an error, and
 * for the billing page of subscribers. An ended session is left to the page.
 * `onCouponError` is called if the code can't be used.
 */
export function useOrder(plan: string | null, coupon: string | null, onCouponError: () => void) {
  const navigate = useNavigate();
  const order = useQuery<NewSubscription>({
    queryKey: [routes.createSubscription.path, plan, coupon],
    queryFn: async () =>
      (await api.createSubscription({ body: { priceId: plan ?? '', ...(coupon && { coupon }) } })).data,
    enabled: plan !== null,
    // The next visit may find another price, and the secret shouldn't be kept.
    gcTime: 0,
    networkMode: 'always',
  });
  const { error } = order;
  useEffect(() => {
    if (plan === null) {
      showToast({ ...text.noPlan, destructive: true });
      void navigate(paths.pricing, { replace: true });
    } else if (error && coupon && isCouponError(error)) {
      showErrorToast(text.couponFailed, error);
      onCouponError();
    } else if (error && !hasErrorCode(error, 'not_signed_in')) {
      showErrorToast(text.failed, error);
      const isSubscriber = hasErrorCode(error, 'already_subscribed');
      void navigate(isSubscriber ? changePath(plan) : paths.pricing, { replace: true });
    }
  }, [plan, coupon, error, navigate, onCouponError]);
  return order;
}
