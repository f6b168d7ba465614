import { useQueryClient } from '@tanstack/react-query';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { formatBytes } from '@uprez/contracts/texts/format';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { describeError } from '../../../../lib/api/api-errors.ts';
import { randomUuid } from '../../../../lib/browser/random-id.ts';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { Button, IconButton } from '../../../../ui/controls/button.tsx';
import { DropArea } from '../../../../ui/controls/drop-area.tsx';
import { ProgressTrack } from '../../../../ui/feedback/progress-bar.tsx';
import { mediaMessages, uploadMessages as text } from '../messages.ts';
import { mediaKey } from '../queries.ts';
import { makeRows, sendFile, type UploadKind, type UploadRow } from './send-file.ts';

type UploadFormProps = {
  kind?: UploadKind;
  /** Initial files, such as files dropped on the page. */
  files?: readonly File[] | undefined;
  /** Called once all files are stored. If some can't be stored, the form shows why instead. */
  onStored: (stored: readonly MediaFile[]) => void;
};

function showResult({ stored, failed }: UploadResult): void {
  if (failed === 0) showToast({ title: mediaMessages.success, description: text.done });
  else
    showToast({
      title: mediaMessages.failure,
      description: `${text.failed}. ${text.someFailed(failed, failed + stored.length)}`,
      destructive: true,
    });
}

export function UploadForm({ kind = 'all', files, onStored }: UploadFormProps) {
  const upload = useUpload({
    kind,
    ...(files && { files }),
    onEnd: (result) => {
      showResult(result);
      if (result.failed === 0) onStored(result.stored);
    },
  });
  const { rows, isUploading, isReady } = upload;
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <DropArea
        label={text.choose}
        disabled={isUploading}
        onDrop={(accepted, rejections) => upload.add([...accepted, ...rejections.map(({ file }) => file)])}
      >
        {text.limits[kind]}
      </DropArea>
      {rows.length > 0 && <UploadList rows={rows} isUploading={isUploading} onRemove={upload.remove} />}
      <div className="flex flex-wrap justify-end gap-2">
        {rows.length > 0 && !isUploading && (
          <Button look="secondary" onClick={upload.clear}>
            {text.clear}
          </Button>
        )}
        <Button
          pending={isUploading}
          pendingText={text.pending}
          aria-disabled={isUploading || !isReady || undefined}
          onClick={() => isReady && upload.start()}
        >
          {text.submit}
        </Button>
      </div>
    </div>
  );
}

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

const UploadList = ({ rows, isUploading, onRemove }: UploadListProps) => (
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

type UploadResult = { stored: readonly MediaFile[]; failed: number };
type UploadOptions = { kind: UploadKind; files?: readonly File[]; onEnd: (result: UploadResult) => void };

const makeUploadRows = (files: readonly File[], kind: UploadKind, taken = 0) =>
  makeRows(files, { kind, taken, makeId: randomUuid });

/** Manages the chosen files, and uploads them one after another. Leaving the page aborts the upload. */
function useUpload({ kind, files = [], onEnd }: UploadOptions) {
  const queryClient = useQueryClient();
  const [rows, setRows] = useState<readonly UploadRow[]>(() => makeUploadRows(files, kind));
  const [isUploading, setUploading] = useState(false);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const ready = rows.filter(({ state }) => state === 'ready');
  const change = (id: string, values: Partial<UploadRow>) =>
    setRows((before) => before.map((row) => (row.id === id ? { ...row, ...values } : row)));
  const send = async ({ id, file }: UploadRow, signal: AbortSignal) => {
    change(id, { state: 'sending' });
    try {
      const stored = await sendFile(file, { signal, onPercent: (percent) => change(id, { percent }) });
      change(id, { state: 'done', percent: 100 });
      return [stored];
    } catch (error) {
      signal.throwIfAborted();
      change(id, { state: 'refused', reason: describeError(error) });
      return [];
    }
  };
  const start = async () => {
    const transfer = new AbortController();
    const { signal } = transfer;
    stop.current = transfer;
    setUploading(true);
    const refused = rows.filter(({ state }) => state === 'refused').length;
    const stored: MediaFile[] = [];
    try {
      for (const row of ready) stored.push(...(await send(row, signal)));
    } finally {
      await queryClient.invalidateQueries({ queryKey: mediaKey });
    }
    setUploading(false);
    onEnd({ stored, failed: refused + ready.length - stored.length });
  };
  return {
    rows,
    isUploading,
    isReady: ready.length > 0,
    add: (added: readonly File[]) =>
      setRows((before) => [...before, ...makeUploadRows(added, kind, countReady(before))]),
    remove: (id: string) => setRows((before) => before.filter((row) => row.id !== id)),
    clear: () => setRows([]),
    start: () => void start().catch(ignoreAbort),
  };
}

const countReady = (rows: readonly UploadRow[]) => rows.filter(({ state }) => state === 'ready').length;

/** Upload errors don't get here, because they are shown beside their files. */
function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
}
