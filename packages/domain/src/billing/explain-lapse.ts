import { AppError } from '@uprez/contracts/errors/app-error';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { findLapsedPlan } from '@uprez/db/queries/billing/plan-facts';
import type { Needs } from '../context.ts';

/**
 * Adds the unpaid bill to an error that occurs because the plan ended without payment. Returns any other error
 * unchanged.
 */
export async function explainLapse(ctx: Needs<'db'>, error: unknown, accountId: string): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'plan_feature') return error;
  const lapsed = await findLapsedPlan(ctx.db, accountId);
  if (!lapsed) return error;
  const { tier, number, total, currency, endedAt } = lapsed;
  const bill = `your ${number ? `bill ${number}` : 'bill'} of ${formatMoney({ amount: total, currency })}`;
  const ended = `Your ${currentPlans[tier].name} plan ended on ${formatDay(endedAt)} because ${bill} wasn't paid.`;
  return error.with({ detail: `${ended} Choose a plan on the pricing page to continue.` });
}
