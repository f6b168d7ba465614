import { limits } from '@uprez/contracts/policy/limits';
import { type ReactNode, useId, useState } from 'react';
import { useEmailChoice } from '../../../lib/session/use-email-choice.ts';
import { messages } from '../../../messages.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { bulkMessages as text } from '../messages.ts';
import { cancelAll, clearList, pauseRun, resumeRun } from '../run/change-list.ts';
import { findBlocker } from '../state/find-blocker.ts';
import {
  canClear,
  canProcess,
  isAwaitingUpload,
  isRetryable,
  type ListState,
  type Row,
  type Summary,
} from '../state/row.ts';
import type { sumSavings } from '../state/row-format.ts';
import type { RunCost } from '../state/run-cost.ts';
import type { RunSplit } from '../state/split-run.ts';
import { useConfirmedCancel } from './use-confirmed-cancel.tsx';

function summaryText({ total, done, failed, cancelled, lost }: Summary, started: boolean): string {
  return [
    started ? text.doneOf(done, total) : text.ready(total),
    ...(failed > 0 ? [text.failed(failed)] : []),
    ...(cancelled > 0 ? [text.cancelled(cancelled)] : []),
    ...(lost > 0 ? [text.lost(lost)] : []),
  ].join(', ');
}

type SummaryBarProps = {
  /** Summary of the list, or of the current run if one is in progress. */
  summary: Summary;
  busy: boolean;
  started: boolean;
  cost: (RunCost & { waitSeconds: number | undefined }) | undefined;
  progress: ReactNode;
  savings: ReturnType<typeof sumSavings>;
};

export function SummaryBar({ summary, busy, started, cost, progress, savings }: SummaryBarProps) {
  const says = summaryText(summary, started);
  if (!busy)
    return (
      <div className="grid gap-1">
        <div className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm tabular-nums">
          <p>{says}</p>
          {savings.saved > 0 && <p>{text.saved(savings.saved, (100 * savings.saved) / savings.bytes)}</p>}
          {cost && <p className="text-muted">{text.cost(cost)}</p>}
        </div>
        <BatchEmailChoice seconds={(cost?.seconds ?? 0) + (cost?.waitSeconds ?? 0)} />
      </div>
    );
  return (
    <div className="grid gap-1">
      {progress}
      <p className="text-muted text-sm tabular-nums">{says}</p>
    </div>
  );
}

type ListActionsProps = {
  state: ListState & { cancelling: boolean; paused: boolean };
  busy: boolean;
  plan: RunSplit;
  onRun: (rows: readonly Row[]) => void;
};

function processText({ now, holds, shortage }: RunSplit): string {
  if (shortage && now.length > 0) return text.processNow(now.length);
  return holds.size > 0 && !shortage ? text.processFirst(now.length) : text.processAll;
}

export function ListActions({ state, busy, plan, onRun }: ListActionsProps) {
  const { rows } = state;
  const reasonId = useId();
  const blocker = findBlocker(state);
  const failed = rows.filter(isRetryable);
  const cancelled = rows.filter(({ status }) => status === 'cancelled');
  const cancellation = useConfirmedCancel(rows, () => void cancelAll());
  const over = !busy && rows.some(isFinished) && !rows.some(isRemaining);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        look={over || state.paused ? 'secondary' : 'primary'}
        disabled={!canProcess(state) || plan.now.length === 0}
        aria-describedby={blocker && reasonId}
        pending={state.starting}
        pendingText={text.starting}
        onClick={() => onRun(plan.now)}
        className={over || (busy && !state.starting) ? 'max-sm:hidden' : undefined}
      >
        {processText(plan)}
      </Button>
      {!busy && failed.length > 0 && (
        <Button look="secondary" onClick={() => onRun(failed)}>
          {text.retryFailed(failed.length)}
        </Button>
      )}
      {!busy && cancelled.length > 0 && (
        <Button look="secondary" onClick={() => onRun(cancelled)}>
          {text.retryCancelled(cancelled.length)}
        </Button>
      )}
      {busy && state.paused && <Button onClick={() => void resumeRun()}>{text.resume}</Button>}
      {busy && !state.paused && rows.some(canPause) && (
        <Button look="secondary" onClick={() => void pauseRun()}>
          {text.pause}
        </Button>
      )}
      {busy && (
        <Button look="secondary" pending={state.cancelling} onClick={cancellation.start}>
          {text.cancelAll}
        </Button>
      )}
      {cancellation.dialog}
      <Button
        look={over ? 'secondary' : 'ghost'}
        disabled={!canClear(state)}
        onClick={clearList}
        className={busy ? 'max-sm:hidden' : undefined}
      >
        {over ? text.startNew : text.clearAll}
      </Button>
      {blocker && (
        <p id={reasonId} className="text-muted text-xs">
          {text.blockers[blocker]}
        </p>
      )}
    </div>
  );
}

const isFinished = ({ status, isInvalid }: Row) => status === 'completed' || (status === 'failed' && isInvalid);
const canPause = (row: Row) => row.status === 'queued' || isAwaitingUpload(row);
const isRemaining = (row: Row) => row.status === 'pending' || row.status === 'cancelled' || isRetryable(row);

/** Offers an email at the end of a long batch. Stays visible once offered. `seconds`: remaining time, if known. */
export function BatchEmailChoice({ seconds = 0 }: { seconds: number | undefined }) {
  const { user, checked, change } = useEmailChoice('batchEmails');
  const [isOffered, setOffered] = useState(false);
  const isLong = seconds > limits.longBatchMinutes * 60;
  if (isLong && !isOffered) setOffered(true);
  if (!user?.emailVerified || !(isLong || isOffered)) return null;
  return <Checkbox label={messages.emailChoices.batch} checked={checked} onChange={(chosen) => change(chosen)} />;
}
