import { Button } from '../../../ui/controls/button.tsx';
import { LiveNotices } from '../../../ui/feedback/live-notices.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { bulkMessages as text } from '../messages.ts';
import { useBulkSettings } from '../state/bulk-settings.ts';
import { changeRow } from '../state/bulk-store.ts';
import type { Row } from '../state/row.ts';
import type { findLosses } from '../state/row-format.ts';

/** Selects Auto for all images, and for those with a format of their own that would lose something. */
function selectAuto(rows: readonly Row[]) {
  useBulkSettings.setState({ format: 'auto' });
  for (const { id, options } of rows)
    if (options?.format) changeRow(id, (row) => ({ ...row, options: { ...row.options, format: 'auto' } }));
}

/** What the next run would lose. Shown beside the button that starts it. */
export function LossNotice({ losses: { transparency, frames } }: { losses: ReturnType<typeof findLosses> }) {
  const rows = [...transparency, ...frames];
  return (
    <LiveNotices>
      {rows.length > 0 && (
        <Notice kind="warning">
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
            <p>{text.losses(transparency.length, frames.length)}</p>
            <Button look="secondary" size="small" onClick={() => selectAuto(rows)}>
              {text.useAuto}
            </Button>
          </div>
        </Notice>
      )}
    </LiveNotices>
  );
}
