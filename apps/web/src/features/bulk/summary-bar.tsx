import { formatPercent } from '@uprez/contracts/texts/format';
import { formatEstimate } from '../../lib/format/format.ts';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import type { Summary } from './list/rules.ts';
import { bulkMessages as text } from './messages.ts';
import { useRemainingTime } from './run/use-remaining-time.ts';

type SummaryBarProps = { summary: Summary; busy: boolean; started: boolean };

/** `37 of 100 done, 2 failed`. */
export function summaryText({ total, done, failed, cancelled, lost }: Summary, started: boolean): string {
  return [
    started ? text.doneOf(done, total) : text.ready(total),
    ...(failed > 0 ? [text.failed(failed)] : []),
    ...(cancelled > 0 ? [text.cancelled(cancelled)] : []),
    ...(lost > 0 ? [text.lost(lost)] : []),
  ].join(', ');
}

/** Progress of the batch as text and as a bar. */
export function SummaryBar({ summary, busy, started }: SummaryBarProps) {
  const seconds = useRemainingTime(summary.share, busy);
  const says = summaryText(summary, started);
  if (!busy) return <p className="text-sm tabular-nums">{says}</p>;
  const { percent } = summary;
  const left = seconds === undefined ? [] : [text.left(formatEstimate(seconds))];
  return (
    <div className="grid gap-1">
      <ProgressBar label={text.progress} valueText={[formatPercent(percent), ...left].join(' · ')} percent={percent} />
      <p className="text-muted text-sm tabular-nums">{says}</p>
    </div>
  );
}
