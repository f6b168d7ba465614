import { paths } from '../../site-map.ts';

/** Name of the query parameter that holds a coupon's code. */
export const couponName = 'coupon';

type Interval = 'month' | 'year';
/** `plan`: a price ID, or the key of a plan. `interval`: of the plan whose key is given, monthly by default. */
export type PlanChoice = { plan: string; interval?: Interval | undefined };

const planQuery = ({ plan, interval }: PlanChoice, more: Record<string, string> = {}) =>
  new URLSearchParams({ plan, ...(interval === 'year' && { interval }), ...more });

/** The plan that the query of a page names; null: none. */
export function readPlanChoice(query: URLSearchParams): PlanChoice | null {
  const plan = query.get('plan')?.trim();
  return plan ? { plan, interval: query.get('interval') === 'year' ? 'year' : 'month' } : null;
}

/** The page where a plan is bought. `coupon`: the code to buy with. */
export const subscribePath = (choice: PlanChoice, coupon?: string | null): string =>
  `${paths.subscribe}?${planQuery(choice, coupon ? { [couponName]: coupon } : {})}`;

/** The page where a subscriber changes the plan. `coupon`: a code to do it with. */
export const changePath = (choice: PlanChoice, coupon?: string | null): string =>
  `${paths.billing}?${planQuery(choice, coupon ? { [couponName]: coupon } : {})}`;
