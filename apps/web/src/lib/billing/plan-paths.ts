import { paths } from '../../site-map.ts';

/** The page where a plan is bought. `plan`: a price ID, or the key of a plan, which means its monthly price. */
export const subscribePath = (plan: string): string => `${paths.subscribe}?${new URLSearchParams({ plan })}`;

/** Name of the query parameter that holds a coupon's code. */
export const couponName = 'coupon';

/** The page where a subscriber changes the plan. `coupon`: a code to do it with. */
export const changePath = (plan: string, coupon: string | null = null): string =>
  `${paths.billing}?${new URLSearchParams({ plan, ...(coupon && { [couponName]: coupon }) })}`;
