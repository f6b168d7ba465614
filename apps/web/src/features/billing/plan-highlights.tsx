import { describeHighlights } from '@uprez/contracts/policy/plans/plan-cards';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { SentenceList } from '../../ui/plans/sentence-list.tsx';
import { billingMessages } from './messages.ts';

const text = billingMessages.includes;

export function PlanHighlights({ card: { name, entitlements } }: { card: Pick<PlanCard, 'name' | 'entitlements'> }) {
  return (
    <SentenceList label={text.list(name)} sentences={describeHighlights(entitlements)} className="gap-1 text-muted" />
  );
}
