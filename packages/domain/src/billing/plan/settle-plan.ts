import type { Tx } from '@uprez/db/database';
import { listEndedPlans, lockUser, type UserRow, updateUser } from '@uprez/db/queries/accounts/users';
import { listLiveSubscriptions, listPriceLines, requestCustomerSync } from '@uprez/db/queries/billing/plan-facts';
import { readClock } from '@uprez/db/times';
import type { Needs } from '../../context.ts';
import { completeShares, ensurePeriod } from '../../usage/ensure-period.ts';
import { reverseUnits } from '../../usage/reverse-units.ts';
import { decidePlan, type Plan, type PlanSubscription } from './decide-plan.ts';

/**
 * Applies the decided plan to an account. Sets its tier and paid period, and grants the units for the period. This is
 * the only code that writes `users.tier`. Idempotent, because the units for a period are granted only once. Returns
 * undefined if the account doesn't exist.
 */
export async function settlePlan(tx: Tx, accountId: string): Promise<Plan | undefined> {
  const user = await lockUser(tx, accountId);
  if (!user) return undefined;
  const { overrideTier: tier, overrideUntil: until } = user;
  const plan = decidePlan({
    override: tier && { tier, until },
    subscriptions: await readSubscriptions(tx, accountId),
    now: await readClock(tx),
  });
  // Must run before `ensurePeriod` closes the allowances of a refunded plan.
  await reverseUnits(tx, accountId);
  await updateUser(tx, accountId, toColumns(user, plan));
  await ensurePeriod(tx, accountId);
  if (plan.source === 'billing' && plan.share === 100 && plan.ref) await completeShares(tx, accountId, plan.ref);
  return plan;
}

async function readSubscriptions(tx: Tx, accountId: string): Promise<PlanSubscription[]> {
  const lines = await listPriceLines(tx, accountId);
  return (await listLiveSubscriptions(tx, accountId)).map(({ nextTier, nextPlanVersion, ...subscription }) => ({
    ...subscription,
    next: toNextPlan({ tier: nextTier, planVersion: nextPlanVersion, at: subscription.nextAt }),
    lines: lines
      .filter(({ subscriptionId }) => subscriptionId === subscription.id)
      .map(({ periodStart: from, periodEnd: until, ...line }) => ({ ...line, from, until })),
  }));
}

type NextPlanColumns = {
  [Key in keyof NonNullable<PlanSubscription['next']>]: NonNullable<PlanSubscription['next']>[Key] | null;
};

const toNextPlan = ({ tier, planVersion, at }: NextPlanColumns): PlanSubscription['next'] =>
  tier && planVersion !== null && at ? { tier, planVersion, at } : null;

const noOverride = { overrideTier: null, overrideUntil: null, overrideReason: null };
const emptyPlanColumns = { planVersion: null, planFrom: null, planUntil: null, planRef: null, planShare: 100 };

function toColumns({ periodAnchor }: UserRow, plan: Plan) {
  const { source, tier, endsAt: planEndsAt } = plan;
  if (source === 'override') return { ...emptyPlanColumns, tier, planEndsAt, periodAnchor };
  if (source === 'none') return { ...emptyPlanColumns, ...noOverride, tier, planEndsAt, periodAnchor: null };
  const { planVersion, anchor, from: planFrom, until: planUntil, ref: planRef, share: planShare } = plan;
  return {
    ...noOverride,
    tier,
    planVersion,
    planFrom,
    planUntil,
    planRef,
    planShare,
    planEndsAt,
    periodAnchor: anchor,
  };
}

/**
 * Settles accounts after their plan or override has ended. Also marks their customers for sync, in case an event was
 * missed. Returns the number of settled accounts. Idempotent.
 */
export async function settleEndedPlans({ db, log }: Needs<'db' | 'log'>): Promise<number> {
  let count = 0;
  for (const userId of await listEndedPlans(db))
    try {
      const plan = await db.transaction().execute((tx) => settlePlan(tx, userId));
      await requestCustomerSync(db, userId);
      log.info({ userId, tier: plan?.tier }, 'plan settled at its end');
      count += 1;
    } catch (error) {
      // Continue, because the plans of other accounts must end, too.
      log.warn({ err: error, userId }, 'settling a plan failed, will retry');
    }
  return count;
}
