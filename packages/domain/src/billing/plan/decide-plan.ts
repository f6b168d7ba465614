import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { periodOf } from '../../usage/period.ts';

/** An invoice line for a subscription's current price. Credit lines are excluded. */
export type PlanLine = {
  invoiceId: string;
  status: 'draft' | 'open' | 'paid';
  reason: string;
  from: Date;
  until: Date;
  finalizedAt: Date | null;
};
export type PlanSubscription = {
  tier: Tier;
  planVersion: number;
  status: string;
  isPaused: boolean;
  cancelsAtPeriodEnd: boolean;
  anchor: Date;
  periodEnd: Date;
  next: { tier: Tier; planVersion: number; at: Date } | null;
  lines: readonly PlanLine[];
};
type Override = { tier: Tier; until: Date | null };
export type PlanInput = { override: Override | null; subscriptions: readonly PlanSubscription[]; now: Date };

/**
 * A plan that has been paid, or that has a renewal being collected. `share` is the usable share of its units, as a
 * percentage.
 */
export type BilledPlan = {
  source: 'billing';
  tier: Tier;
  planVersion: number;
  anchor: Date;
  from: Date;
  until: Date;
  share: 25 | 100;
  /** ID of the invoice that pays for the plan. Null if it isn't known yet. */
  ref: string | null;
  /** Time at which the decision changes even if no event arrives. */
  endsAt: Date;
};
export type Plan =
  | BilledPlan
  | { source: 'override'; tier: Tier; endsAt: Date | null }
  | { source: 'none'; tier: 'free'; endsAt: null };

/** Time from the first attempt to collect a renewal until the plan ends, in days. */
const pastDueDays = 7;
/** Maximum delay between the end of a period and the sync of its renewal invoice, in milliseconds. */
const renewalMs = 3_600_000;
const dayMs = 86_400_000;

/**
 * Decides which plan an account has. An administrator's active override takes precedence, followed by the best
 * subscription. Without either, the plan is Free.
 */
export function decidePlan({ override, subscriptions, now }: PlanInput): Plan {
  if (override && (!override.until || override.until > now))
    return { source: 'override', tier: override.tier, endsAt: override.until };
  const paid = subscriptions.map((one) => decideSubscription(one, now)).filter((plan) => plan !== undefined);
  const [best] = paid.toSorted((one, other) => rank(other) - rank(one) || Number(other.until) - Number(one.until));
  return best ?? { source: 'none', tier: 'free', endsAt: null };
}

/** Ranks plans by price. Within a tier, full plans come before partial ones. */
const rank = (plan: BilledPlan) => planOf(plan).price * 100 + plan.share;

function decideSubscription(subscription: PlanSubscription, now: Date): BilledPlan | undefined {
  const { status, isPaused, lines } = subscription;
  if (status !== 'active' && status !== 'past_due') return undefined;
  const current = lines.filter(({ from, until }) => from <= now && now < until);
  const paid = current.find((line) => line.status === 'paid');
  if (paid) return toBilledPlan(subscription, paid, 100);
  if (isPaused) return undefined;
  const renewal = current.find((line) => line.status !== 'paid' && line.reason === 'subscription_cycle');
  if (status === 'past_due') return renewal && bridgePastDue(subscription, renewal, now);
  return renewal ? toBilledPlan(subscription, renewal, 25) : bridgeUnseen(subscription, now);
}

type BilledPeriod = Pick<PlanLine, 'from' | 'until'> & { invoiceId: string | null };

function toBilledPlan(subscription: PlanSubscription, line: BilledPeriod, share: 25 | 100) {
  const { tier, planVersion, anchor } = subscription;
  const { from, until, invoiceId: ref } = line;
  return { source: 'billing', tier, planVersion, anchor, from, until, share, ref, endsAt: until } as const;
}

function bridgePastDue(subscription: PlanSubscription, line: PlanLine, now: Date): BilledPlan | undefined {
  const last = new Date(Number(line.finalizedAt ?? line.from) + pastDueDays * dayMs);
  if (now >= last) return undefined;
  const plan = toBilledPlan(subscription, line, 25);
  return { ...plan, endsAt: last < plan.until ? last : plan.until };
}

/** Grants a partial plan after the paid period has ended, until the renewal invoice is known. */
function bridgeUnseen(subscription: PlanSubscription, now: Date): BilledPlan | undefined {
  const { periodEnd: from, cancelsAtPeriodEnd, anchor, lines, next } = subscription;
  const last = lines.find(({ until, status }) => status === 'paid' && Number(until) === Number(from));
  const endsAt = new Date(Number(from) + renewalMs);
  if (!last || cancelsAtPeriodEnd || now < from || now >= endsAt) return undefined;
  const until = periodOf(anchor, from).endsAt;
  const { tier, planVersion } = next && next.at <= from ? next : subscription;
  return { ...toBilledPlan({ ...subscription, tier, planVersion }, { from, until, invoiceId: null }, 25), endsAt };
}
