import { useState } from 'react';
import { isCancelCharged } from '../../../lib/jobs/is-cancel-charged.ts';
import { ConfirmDialog, keepProcessingLabel } from '../../../ui/overlays/confirm-dialog.tsx';
import { bulkMessages as text } from '../messages.ts';
import type { Row } from '../state/row.ts';

/** Cancels rows. If the user would be charged for any of them, asks for confirmation first. */
export function useConfirmedCancel(rows: readonly Row[], cancel: () => void) {
  const [credits, setCredits] = useState(0);
  const start = () => {
    const charged = rows.filter((row) => row.status === 'processing' && isCancelCharged(row)).length;
    if (charged > 0) setCredits(charged);
    else cancel();
  };
  const dialog = credits > 0 && (
    <ConfirmDialog
      {...text.confirmCancel(credits, rows.length)}
      keep={keepProcessingLabel}
      open
      onOpenChange={() => setCredits(0)}
      onConfirm={() => {
        setCredits(0);
        cancel();
      }}
    />
  );
  return { start, dialog };
}
