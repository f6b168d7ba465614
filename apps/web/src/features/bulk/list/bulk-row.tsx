import { memo } from 'react';
import { useFilePreview } from '../settings/use-file-preview.ts';
import type { Row } from './row.ts';
import { RowActions } from './row-actions.tsx';
import { RowFacts } from './row-facts.tsx';
import { RowStatus } from './row-status.tsx';
import { Thumbnail } from './thumbnail.tsx';
import { TruncatedName } from './truncated-name.tsx';

type BulkRowProps = {
  row: Row;
  factor: number;
  /** The plan does not allow this file in the same batch. */
  locked: boolean;
  busy: boolean;
  onRetry: (row: Row) => void;
};

export const BulkRow = memo(function BulkRow({ row, factor, locked, busy, onRetry }: BulkRowProps) {
  const look = useFilePreview(row);
  const folder = row.relativePath.slice(0, -row.name.length);
  return (
    <div className="grid min-h-16 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 px-3 py-2 sm:grid-cols-[auto_minmax(0,1fr)_7rem_auto] sm:px-4">
      <Thumbnail bitmap={look?.bitmap} url={row.thumbnailUrl} />
      <div className="grid min-w-0 gap-0.5">
        <TruncatedName name={row.name} path={row.relativePath} />
        <p className="text-muted text-xs tabular-nums wrap-anywhere">
          {folder && `${folder} · `}
          <RowFacts row={row} factor={factor} />
        </p>
        {row.error && <p className="text-danger text-xs wrap-anywhere">{row.error}</p>}
      </div>
      <div className="max-sm:col-span-2 max-sm:col-start-2 max-sm:row-start-2">
        <RowStatus row={row} locked={locked} />
      </div>
      <RowActions row={row} busy={busy} onRetry={onRetry} />
    </div>
  );
});
