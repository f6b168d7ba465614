import { limits } from '@uprez/contracts/policy/limits';
import { formatBytes } from '@uprez/contracts/texts/format';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { bulkMessages as text } from '../messages.ts';
import { addExtraFiles, clearList } from '../run/change-list.ts';
import type { BulkState } from '../state/bulk-store.ts';
import { isAcceptedRow, isAwaitingUpload } from '../state/row.ts';
import { maxStoredBytes } from '../state/saved-list.ts';

function ExtraFilesNotice({ rows, extraFiles }: Pick<BulkState, 'rows' | 'extraFiles'>) {
  const here = extraFiles.some(({ file }) => file);
  const hasRoom = rows.filter(isAcceptedRow).length < limits.batchItems;
  const isOver = rows.every(({ status }) => status !== 'pending');
  return (
    <Notice kind="info">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <details>
          <summary className="cursor-pointer font-medium">{text.aside(extraFiles.length)}</summary>
          <ul className="mt-2 grid max-h-48 gap-1 overflow-y-auto text-muted text-xs">
            {extraFiles.map(({ relativePath, size }, index) => (
              <li key={index}>{`${relativePath} · ${formatBytes(size)}`}</li>
            ))}
          </ul>
        </details>
        {here && hasRoom && (
          <Button look="secondary" size="small" onClick={addExtraFiles}>
            {text.asideAdd}
          </Button>
        )}
        {here && !hasRoom && isOver && (
          <Button look="secondary" size="small" onClick={clearList}>
            {text.asideNext}
          </Button>
        )}
      </div>
      <p className="text-muted">{here ? text.asideText(extraFiles.length) : text.asideLost(extraFiles.length)}</p>
    </Notice>
  );
}

function PausedNotice({ rows, batches }: Pick<BulkState, 'rows' | 'batches'>) {
  const unsent = rows.filter(isAwaitingUpload);
  const waiting = [...rows.filter(({ status }) => status === 'queued'), ...unsent];
  const ends = waiting.flatMap(({ item }) => (item && batches[item.batchId]?.expiresAt) ?? []);
  if (waiting.length === 0) return null;
  return (
    <Notice kind="info">
      <p className="font-medium">{text.pausedTitle(waiting.length)}</p>
      <p className="text-muted">{text.pausedText(ends.toSorted()[0], unsent.length)}</p>
    </Notice>
  );
}

export function ListNotices({ state, lost }: { state: BulkState; lost: number }) {
  const { rows, batches, extraFiles, keeps, stalled, paused, error } = state;
  return (
    <>
      {!keeps && <Notice kind="warning">{text.notKept}</Notice>}
      {lost > 0 && (
        <Notice kind="warning">
          <p className="font-medium">{text.lostTitle(lost)}</p>
          <p className="text-muted">{text.lostText(maxStoredBytes)}</p>
        </Notice>
      )}
      {extraFiles.length > 0 && <ExtraFilesNotice rows={rows} extraFiles={extraFiles} />}
      {paused && <PausedNotice rows={rows} batches={batches} />}
      {stalled && <Notice kind="warning">{text.stalled}</Notice>}
      {error && (
        <Notice kind="danger">
          <p className="font-medium">{text.problem}</p>
          <p>{error}</p>
        </Notice>
      )}
    </>
  );
}
