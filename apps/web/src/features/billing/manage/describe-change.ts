import type { NewSubscription } from '@uprez/contracts/schemas/billing/billing';
import { formatDay } from '@uprez/contracts/texts/format';
import { intervalTexts } from '@uprez/contracts/texts/plans';
import { billingMessages } from '../messages.ts';
import { planName } from '../plan-name.ts';

const text = billingMessages.change;
export type BoughtPlan = NewSubscription['plan'];

/** Describes what a plan changes to: another plan, another interval, or another price. */
export function describeTarget(from: BoughtPlan, to: BoughtPlan): string {
  if (from.tier !== to.tier) return planName(to.tier);
  return from.interval === to.interval ? text.newPrice : text.newInterval(intervalTexts[to.interval].adverb);
}

/** Describes a change at the end of the period: `Your plan changes to Pro on Nov 5, 2026`. */
export function describeScheduled(from: BoughtPlan, to: BoughtPlan, at: string): string {
  const subject = from.tier === to.tier ? text.samePlan(planName(to.tier)) : text.anyPlan;
  return text.scheduled(subject, describeTarget(from, to), formatDay(at));
}

/** Describes the account's plan after an immediate change. */
export function describeChanged(from: BoughtPlan, to: BoughtPlan): string {
  const name = planName(to.tier);
  const isOtherInterval = from.tier === to.tier && from.interval !== to.interval;
  return isOtherInterval ? text.changedInterval(name, intervalTexts[to.interval].adverb) : text.changed(name);
}
