import { describeFidelity } from '@uprez/contracts/policy/images/results';
import { receiptMessages as text } from './messages.ts';

export function FidelityNote({ score }: { score: number }) {
  return (
    <div className="grid gap-1 rounded-control border border-line p-3 text-sm">
      <h3 className="flex items-baseline justify-between gap-2 font-medium text-sm">
        {text.fidelity}
        <span className="tabular-nums">{text.fidelityScore(score)}</span>
      </h3>
      <p className="text-muted">{describeFidelity(score)}</p>
    </div>
  );
}
