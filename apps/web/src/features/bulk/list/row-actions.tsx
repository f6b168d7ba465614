import { CircleStop, Download, RotateCcw, X } from 'lucide-react';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Tooltip } from '../../../ui/controls/tooltip.tsx';
import { bulkMessages as text } from '../messages.ts';
import { cancelRow, removeRow } from '../run/change-list.ts';
import type { Row } from '../state/row.ts';
import { canCancel, canRemove, canRetry } from '../state/rules.ts';

/** Moves the focus to the same button of the next or previous row before a row is removed. */
function passFocus(button: HTMLElement) {
  const row = button.closest('li');
  const neighbor = row?.nextElementSibling ?? row?.previousElementSibling;
  [...(neighbor?.querySelectorAll('button') ?? [])].at(-1)?.focus({ preventScroll: true });
}

type RowActionsProps = { row: Row; busy: boolean; onRun: (rows: readonly Row[]) => void };

export function RowActions({ row, busy, onRun }: RowActionsProps) {
  const { name, downloadUrl, status } = row;
  return (
    <div className="flex shrink-0 justify-end gap-0.5 sm:w-[4.75rem] sm:pointer-coarse:w-[5.75rem]">
      {status === 'completed' && downloadUrl && (
        <Tooltip text={text.download(name)}>
          <a
            href={downloadUrl}
            download
            aria-label={text.download(name)}
            className={buttonStyle({ look: 'ghost', size: 'icon' })}
          >
            <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
          </a>
        </Tooltip>
      )}
      {canRetry(row, busy) && <IconButton label={text.retry(name)} icon={RotateCcw} onClick={() => onRun([row])} />}
      {canCancel(row) ? (
        <IconButton label={text.cancel(name)} icon={CircleStop} onClick={() => void cancelRow(row)} />
      ) : (
        <IconButton
          label={text.remove(name)}
          icon={X}
          disabled={!canRemove(row)}
          onClick={({ currentTarget }) => {
            passFocus(currentTarget);
            removeRow(row);
          }}
        />
      )}
    </div>
  );
}
