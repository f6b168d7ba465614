import { formatPercent } from '@uprez/contracts/texts/format';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { bulkMessages as text } from '../messages.ts';
import { isFileMissing, type Row } from './row.ts';

const kinds = {
  pending: 'neutral',
  uploading: 'neutral',
  queued: 'neutral',
  processing: 'neutral',
  completed: 'success',
  failed: 'danger',
  cancelled: 'warning',
  expired: 'neutral',
  rejected: 'danger',
} as const;

function Chip({ row, locked }: { row: Row; locked: boolean }) {
  if (isFileMissing(row)) return <Badge kind="warning">{text.fileNeeded}</Badge>;
  if (locked) return <Badge kind="warning">{text.locked}</Badge>;
  return <Badge kind={kinds[row.status]}>{text.statuses[row.status]}</Badge>;
}

/** Progress of the upload, then of the job. */
function Progress({ name, status, sent, progress }: Row) {
  const percent = status === 'uploading' ? sent : progress;
  const says = `${text.statuses[status]}, ${formatPercent(percent)}`;
  return (
    <div
      role="progressbar"
      aria-label={text.progressOf(name)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={says}
      className="h-1 overflow-hidden rounded-full bg-sunken"
    >
      <span className="block h-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
    </div>
  );
}

/** The status of a row, with its progress while it is active. */
export function RowStatus({ row, locked }: { row: Row; locked: boolean }) {
  const moves = row.status === 'uploading' || row.status === 'queued' || row.status === 'processing';
  const percent = row.status === 'uploading' ? row.sent : row.progress;
  return (
    <div className="grid content-center gap-1.5">
      <div className="flex items-center justify-between gap-1">
        <Chip row={row} locked={locked} />
        {moves && row.status !== 'queued' && (
          <span aria-hidden="true" className="text-muted text-xs tabular-nums">
            {formatPercent(percent)}
          </span>
        )}
      </div>
      {moves && <Progress {...row} />}
    </div>
  );
}
