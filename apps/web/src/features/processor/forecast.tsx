import type { PlanOutcome } from '@uprez/imaging/plan/job-limits';
import { formatEstimate, formatSize, type Size } from '../../lib/format.ts';
import { messages } from '../../messages.ts';
import { Notice } from '../../ui/notice.tsx';

const text = messages.processor;

type ForecastProps = { size: Size | undefined; target: Size | undefined; outcome: PlanOutcome | undefined };

/** What will come of it, before the button: sizes and time. */
export function Forecast({ size, target, outcome }: ForecastProps) {
  if (!size || !target || !outcome) return <Notice kind="info">{text.sizeUnknown}</Notice>;
  return (
    <div className="grid gap-3">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">{text.size}</dt>
        <dd className="text-right font-medium tabular-nums">
          <span className="whitespace-nowrap">{`${formatSize(size)} ->`}</span>{' '}
          <span className="whitespace-nowrap">{formatSize(target)}</span>
        </dd>
        {outcome.ok && (
          <>
            <dt className="text-muted">{text.time}</dt>
            <dd className="text-right font-medium tabular-nums">{formatEstimate(outcome.plan.estimate.seconds)}</dd>
          </>
        )}
      </dl>
    </div>
  );
}
