import { comparePlans } from '@uprez/contracts/policy/compare-plans';
import type { Entitlements } from '@uprez/contracts/policy/plan-columns';
import { SentenceList } from '../../../ui/plans/sentence-list.tsx';
import { billingMessages } from '../messages.ts';

const text = billingMessages.change;

type PlanDifferenceProps = {
  from: Entitlements;
  to: Entitlements;
  /** `today`, or `on Dec 5, 2026`. */
  start: string;
};

/** What a change of the plan gains and loses. Nothing between equal plans. */
export function PlanDifference({ from, to, start }: PlanDifferenceProps) {
  const { gains, losses } = comparePlans(from, to);
  const lists = [
    { title: text.gains(start), sentences: gains, isMissing: false },
    { title: text.losses(start), sentences: losses, isMissing: true },
  ];
  return lists
    .filter(({ sentences }) => sentences.length > 0)
    .map(({ title, ...list }) => (
      <div key={title} className="grid gap-2">
        <p className="font-medium text-sm">{title}</p>
        <SentenceList label={title} {...list} className="gap-1 text-muted" />
      </div>
    ));
}
