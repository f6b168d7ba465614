import type { PlanCard } from '../../schemas/plan-card.ts';
import { currentPlans, type Tier } from './plans.ts';

/** One version of a plan: its price in US dollars per month, and what it includes. */
export type Plan = PlanCard['entitlements'] & { version: number; name: string; price: number };

/**
 * Plan of an account. `planVersion`: version of the price that the account pays. Null means the current version, as for
 * accounts without a paid plan.
 */
export type AccountPlan = { tier: Tier; planVersion: number | null };

/**
 * Versions that are no longer sold, kept for the accounts that bought them. Before changing a plan's price or
 * entitlements in `plans.ts`, copy its row here and increase its `version` there.
 */
export const formerPlans: { [T in Tier]?: readonly Plan[] } = {};

/**
 * Returns the plan version that applies to an account. A version that isn't listed, such as one sold by a newer
 * release, counts as the current version, because paying accounts must not lose their plan. The ledger check reports
 * such versions.
 */
export const planOf = ({ tier, planVersion }: AccountPlan): Plan =>
  formerPlans[tier]?.find(({ version }) => version === planVersion) ?? currentPlans[tier];
