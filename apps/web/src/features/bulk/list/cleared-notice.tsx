import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { bulkMessages as text } from '../messages.ts';
import { undoClear } from '../run/change-list.ts';
import type { Row } from '../state/row.ts';

/** Shown after the list was cleared, until other files are added. */
export function ClearedNotice({ rows }: { rows: readonly Row[] }) {
  const hasResults = rows.some(({ status }) => status === 'completed');
  return (
    <Notice kind="info">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <p className="font-medium">{text.cleared(rows.length)}</p>
          {hasResults && <p className="text-muted">{text.clearedResults}</p>}
        </div>
        <Button look="secondary" size="small" onClick={undoClear}>
          {text.undo}
        </Button>
      </div>
    </Notice>
  );
}
