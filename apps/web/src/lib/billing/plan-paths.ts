import { paths } from '../../site-map.ts';

export const couponParam = 'coupon';

type Interval = 'month' | 'year';
/** `plan`: a price ID or a plan's key. `interval`: billing interval if `plan` is a key, monthly by default. */
export type PlanChoice = { plan: string; interval?: Interval | undefined };

const makePlanQuery = ({ plan, interval }: PlanChoice, more: Record<string, string> = {}) =>
  new URLSearchParams({ plan, ...(interval === 'year' && { interval }), ...more });

/** Returns null if the query names no plan. */
export function readPlanChoice(query: URLSearchParams): PlanChoice | null {
  const plan = query.get('plan')?.trim();
  return plan ? { plan, interval: query.get('interval') === 'year' ? 'year' : 'month' } : null;
}

/** Returns the path of the page where a plan is bought. `coupon`: the coupon code to apply. */
export const subscribePath = (choice: PlanChoice, coupon?: string | null): string =>
  `${paths.subscribe}?${makePlanQuery(choice, coupon ? { [couponParam]: coupon } : {})}`;

/** Returns the path of the page where a subscriber changes the plan. `coupon`: the coupon code to apply. */
export const changePath = (choice: PlanChoice, coupon?: string | null): string =>
  `${paths.billing}?${makePlanQuery(choice, coupon ? { [couponParam]: coupon } : {})}`;
