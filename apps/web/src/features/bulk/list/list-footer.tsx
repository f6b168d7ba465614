import { formatPercent } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { formatEstimate } from '../../../lib/format/format.ts';
import { useRemainingTime } from '../../../lib/format/time-estimator.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { bulkMessages as text } from '../messages.ts';
import { cancelAll, clearList } from '../run/change-list.ts';
import { canClear, canProcess, isRetryable, type ListState, type Row, type Summary } from '../state/row.ts';
import { useConfirmedCancel } from './use-confirmed-cancel.tsx';

/** `37 of 100 done, 2 failed`. */
function summaryText({ total, done, failed, cancelled, lost }: Summary, started: boolean): string {
  return [
    started ? text.doneOf(done, total) : text.ready(total),
    ...(failed > 0 ? [text.failed(failed)] : []),
    ...(cancelled > 0 ? [text.cancelled(cancelled)] : []),
    ...(lost > 0 ? [text.lost(lost)] : []),
  ].join(', ');
}

function RunProgress({ percent, share }: Summary) {
  const seconds = useRemainingTime(share);
  const left = seconds === undefined ? [] : [text.left(formatEstimate(seconds))];
  const valueText = [formatPercent(percent), ...left].join(' · ');
  return <ProgressBar label={text.progress} valueText={valueText} percent={percent} />;
}

export function SummaryBar({ summary, busy, started }: { summary: Summary; busy: boolean; started: boolean }) {
  const says = summaryText(summary, started);
  if (!busy) return <p className="text-sm tabular-nums">{says}</p>;
  return (
    <div className="grid gap-1">
      <RunProgress {...summary} />
      <p className="text-muted text-sm tabular-nums">{says}</p>
    </div>
  );
}

type ListActionsProps = {
  state: ListState & { cancelling: boolean };
  busy: boolean;
  run: readonly Row[];
  locked: number;
  onRun: (rows: readonly Row[]) => void;
};

function ClearButton({ state, over }: { state: ListState; over: boolean }) {
  const [asks, setAsks] = useState(false);
  const finished = state.rows.filter(({ status }) => status === 'completed').length;
  return (
    <>
      <Button
        look={over ? 'primary' : 'ghost'}
        disabled={!canClear(state)}
        onClick={() => (finished > 0 && !over ? setAsks(true) : clearList())}
      >
        {over ? text.startNew : text.clearAll}
      </Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={text.clearTitle}
        text={text.clearText(finished)}
        confirm={text.clearAll}
        onConfirm={() => {
          setAsks(false);
          clearList();
        }}
      />
    </>
  );
}

export function ListActions({ state, busy, run, locked, onRun }: ListActionsProps) {
  const { rows } = state;
  const failed = rows.filter(isRetryable);
  const cancelled = rows.filter(({ status }) => status === 'cancelled');
  const cancellation = useConfirmedCancel(rows, () => void cancelAll());
  const over = !busy && rows.some(isOver) && !rows.some(isLeft);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        look={over ? 'secondary' : 'primary'}
        disabled={!canProcess(state)}
        pending={state.starting}
        pendingText={text.starting}
        onClick={() => onRun(run)}
      >
        {locked > 0 ? text.processFirst(run.length) : text.processAll}
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
      {busy && (
        <Button look="secondary" pending={state.cancelling} onClick={cancellation.start}>
          {text.cancelAll}
        </Button>
      )}
      {cancellation.dialog}
      <ClearButton state={state} over={over} />
    </div>
  );
}

const isOver = ({ status, isInvalid }: Row) => status === 'completed' || (status === 'failed' && isInvalid);
const isLeft = (row: Row) => row.status === 'pending' || row.status === 'cancelled' || isRetryable(row);
