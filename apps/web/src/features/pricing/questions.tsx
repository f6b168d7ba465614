import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { Plus } from 'lucide-react';
import { pricingMessages } from '../../ui/plans/messages.ts';

/** Frequently asked questions about plans. The numbers are those of the plans. */
export function Questions({ cards }: { cards: readonly PlanCard[] }) {
  const pixels = cards.map(({ entitlements }) => entitlements.maxOutputPixels);
  return (
    <div className="divide-y divide-line border-line border-y">
      {pricingMessages.questions.list(Math.min(...pixels), Math.max(...pixels)).map(([question, answer]) => (
        <details key={question} className="group">
          <summary className="control flex cursor-pointer list-none items-center justify-between gap-4 py-3 font-medium text-sm [&::-webkit-details-marker]:hidden">
            {question}
            <Plus
              aria-hidden="true"
              strokeWidth={1.75}
              className="size-4 shrink-0 text-muted transition-transform group-open:rotate-45"
            />
          </summary>
          <p className="max-w-2xl pb-4 text-muted text-sm">{answer}</p>
        </details>
      ))}
    </div>
  );
}
