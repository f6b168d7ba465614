import { makePlanCards } from '@uprez/contracts/policy/plan-cards';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { listPlanPrices } from '@uprez/db/queries/billing/prices';
import type { Needs } from '../context.ts';

/** The pricing cards of all plans, with the IDs of the prices that can be bought. */
export const listPlanCards = async ({ db }: Needs<'db'>): Promise<PlanCard[]> =>
  makePlanCards(await listPlanPrices(db));
