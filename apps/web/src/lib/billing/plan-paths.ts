import { paths } from '../../site-map.ts';

/** The page where a plan is bought. `plan`: a price ID, or the key of a plan, which means its monthly price. */
export const subscribePath = (plan: string): string => `${paths.subscribe}?${new URLSearchParams({ plan })}`;

/** The page where a subscriber changes the plan. */
export const changePath = (plan: string): string => `${paths.billing}?${new URLSearchParams({ plan })}`;
