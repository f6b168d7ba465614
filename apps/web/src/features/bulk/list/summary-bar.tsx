import { formatPercent } from '@uprez/contracts/texts/format';
import { useEffect, useRef, useState } from 'react';
import { formatEstimate } from '../../../lib/format/format.ts';
import { createTimeEstimator } from '../../../lib/format/time-estimator.ts';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { bulkMessages as text } from '../messages.ts';
import type { Summary } from '../state/rules.ts';

const everyMs = 1_000;

/** Seconds left of a run, updated every second; undefined while unknown. */
function useRemainingTime(share: number, running: boolean): number | undefined {
  const latest = useRef(share);
  latest.current = share;
  const [seconds, setSeconds] = useState<number>();
  useEffect(() => {
    setSeconds(undefined);
    if (!running) return;
    const { update } = createTimeEstimator();
    const timer = setInterval(() => setSeconds(update(latest.current, performance.now())), everyMs);
    return () => clearInterval(timer);
  }, [running]);
  return seconds;
}

/** `37 of 100 done, 2 failed`. */
export function summaryText({ total, done, failed, cancelled, lost }: Summary, started: boolean): string {
  return [
    started ? text.doneOf(done, total) : text.ready(total),
    ...(failed > 0 ? [text.failed(failed)] : []),
    ...(cancelled > 0 ? [text.cancelled(cancelled)] : []),
    ...(lost > 0 ? [text.lost(lost)] : []),
  ].join(', ');
}

export function SummaryBar({ summary, busy, started }: { summary: Summary; busy: boolean; started: boolean }) {
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
