import type { PlanCard } from '../../schemas/plan-card.ts';
import { currentPlans, type Tier } from './plans.ts';

/** One version of a plan: its price in US dollars per month, and what it includes. */
export type Plan = PlanCard['entitlements'] & { version: number; name: string; price: number };

/** What an account has. `planVersion`: that of the price it pays. Null: the current one, as without a paid plan. */
export type AccountPlan = { tier: Tier; planVersion: number | null };

/**
 * Versions that are no longer sold, for the accounts that bought them. Before the price or the entitlements of a plan change in
 * `plans.ts`, its row is copied here, and its `version` there is raised.
 */
export const formerPlans: { [T in Tier]?: readonly Plan[] } = {};

/**
 * Returns what an account's plan includes and costs. A version that isn't listed, such as one that a newer release sold, counts
 * as the current one: whoever pays must not lose the plan. The ledger check reports such versions.
 */
export const planOf = ({ tier, planVersion }: AccountPlan): Plan =>
  formerPlans[tier]?.find(({ version }) => version === planVersion) ?? currentPlans[tier];
