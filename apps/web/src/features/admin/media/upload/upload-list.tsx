import { formatBytes } from '@uprez/contracts/texts/format';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { IconButton } from '../../../../ui/controls/button.tsx';
import { ProgressTrack } from '../../../../ui/feedback/progress-bar.tsx';
import { uploadMessages as text } from '../messages.ts';
import type { UploadRow } from './upload-rows.ts';

function RowState({ row: { file, state, percent, reason } }: { row: UploadRow }) {
  if (state === 'refused') return <span className="text-danger text-xs">{reason}</span>;
  if (state !== 'sending') return <span className="text-muted text-xs">{text.states[state]}</span>;
  return (
    <ProgressTrack
      className="h-1.5"
      label={text.progress(file.name)}
      valueText={text.percent(percent)}
      percent={percent}
    />
  );
}

function StateIcon({ state }: Pick<UploadRow, 'state'>) {
  if (state === 'done')
    return <CircleCheck aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-success" />;
  if (state === 'refused')
    return <CircleAlert aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-danger" />;
  return <span className="size-4 shrink-0" />;
}

type UploadListProps = { rows: readonly UploadRow[]; isUploading: boolean; onRemove: (id: string) => void };

/** The chosen files, and what has become of each. */
export const UploadList = ({ rows, isUploading, onRemove }: UploadListProps) => (
  <ul
    aria-label={text.list}
    className="grid max-h-72 divide-y divide-line overflow-y-auto rounded-control border border-line"
  >
    {rows.map((row) => (
      <li key={row.id} className="flex min-h-12 items-center gap-3 px-3 py-2">
        <StateIcon state={row.state} />
        <div className="grid min-w-0 flex-1 gap-1">
          <div className="flex min-w-0 items-baseline gap-3 text-sm">
            <span className="min-w-0 truncate" title={row.file.name}>
              {row.file.name}
            </span>
            <span className="ml-auto shrink-0 text-muted text-xs tabular-nums">{formatBytes(row.file.size)}</span>
          </div>
          <RowState row={row} />
        </div>
        {!isUploading && row.state !== 'done' && (
          <IconButton label={text.remove(row.file.name)} icon={X} onClick={() => onRemove(row.id)} />
        )}
      </li>
    ))}
  </ul>
);
