import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { CouponOffer } from '@uprez/contracts/schemas/billing/coupons';
import { useSearchParams } from 'react-router';
import { api } from '../api/api.ts';
import { hasErrorCode } from '../api/api-errors.ts';
import { couponParam, type PlanChoice } from './plan-paths.ts';

/**
 * Returns the coupon code in the URL, with its offer. `choice`: the plan to buy with the coupon. `apply` checks a code
 * and adds it to the URL. Throws if the code can't be used.
 */
export function useCoupon(choice: PlanChoice | null = null) {
  const [params, setParams] = useSearchParams();
  const code = params.get(couponParam)?.trim() || null;
  const check = async (typed: string, signal?: AbortSignal) => {
    const call = { params: { code: typed }, query: choice ? { priceId: choice.plan, interval: choice.interval } : {} };
    return (await api.checkCoupon({ ...call, ...(signal && { signal }) })).data;
  };
  const { data, error } = useQuery<CouponOffer>({
    queryKey: [apiRoutes.checkCoupon.path, code, choice],
    queryFn: ({ signal }) => check(code ?? '', signal),
    enabled: code !== null,
    retry: false,
  });
  const change = (next: string | null) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete(couponParam);
        if (next) after.set(couponParam, next);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return {
    code,
    offer: code === null ? undefined : data,
    error: code === null ? null : error,
    apply: async (typed: string) => change((await check(typed)).code),
    remove: () => change(null),
  };
}
export type UseCouponResult = ReturnType<typeof useCoupon>;

const couponErrors = [
  'coupon_not_found',
  'coupon_expired',
  'coupon_used_up',
  'coupon_disabled',
  'coupon_wrong_plan',
  'coupon_used',
  'coupon_second',
  'coupon_not_ready',
  'coupon_scheduled',
] as const;

export const isCouponError = (error: unknown): boolean => couponErrors.some((code) => hasErrorCode(error, code));
