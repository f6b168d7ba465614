import { defaultFormat } from '@uprez/contracts/policy/image-formats';
import { Maximize2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { isShown } from '../../../lib/images/image-size.ts';
import { Tooltip } from '../../../ui/controls/tooltip.tsx';
import { bulkMessages as text } from '../messages.ts';
import type { Row } from '../state/row.ts';
import type { Finished } from './result-dialog.tsx';

const ResultDialog = lazy(async () => ({ default: (await import('./result-dialog.tsx')).ResultDialog }));

const canShow = (row: Row): row is Finished =>
  row.status === 'completed' &&
  row.downloadUrl !== undefined &&
  row.result !== undefined &&
  isShown(row.format ?? defaultFormat, row.result);

/** The thumbnail of a row, as a button that shows the result once there is one. */
export function ResultButton({ row, children }: { row: Row; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  if (!canShow(row)) return children;
  return (
    <>
      <Tooltip text={text.preview(row.name)}>
        <button
          type="button"
          aria-label={text.preview(row.name)}
          onClick={() => setOpen(true)}
          className="group relative rounded-small"
        >
          {children}
          <span className="absolute right-0 bottom-0 grid size-4 place-items-center rounded-tl-small bg-surface text-ink opacity-80 group-hover:opacity-100 group-focus-visible:opacity-100">
            <Maximize2 aria-hidden="true" strokeWidth={2} className="size-2.5" />
          </span>
        </button>
      </Tooltip>
      <Suspense>{isOpen && <ResultDialog row={row} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
