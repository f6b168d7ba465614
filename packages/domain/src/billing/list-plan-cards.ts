import { makePlanCards } from '@uprez/contracts/policy/plan-cards';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { listPlanPrices } from '@uprez/db/queries/billing/prices';
import type { Needs } from '../context.ts';
import { readPaymentMethods } from './payment-methods.ts';

/** The pricing cards of all plans, with the IDs of the prices that can be bought, and how they can be paid. */
export const listPlanCards = async ({ db }: Needs<'db'>): Promise<PlanCard[]> =>
  makePlanCards(await listPlanPrices(db), await readPaymentMethods(db));
