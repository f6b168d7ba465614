import { holdPage } from '../../../lib/browser/leave-guard.ts';
import { type BulkState, useBulk } from '../bulk-store.ts';
import { chooseKept, isUnsent } from '../list/kept-files.ts';
import { isToSend } from '../list/row.ts';

/** Whether leaving the page would interrupt an upload or lose files. */
export function wouldLose({ rows, keeps, signedOut }: Pick<BulkState, 'rows' | 'keeps' | 'signedOut'>): boolean {
  // After the session has ended, the page redirects to the sign-in.
  if (signedOut) return false;
  if (rows.some((row) => row.status === 'uploading' || isToSend(row))) return true;
  const unsent = rows.filter((row) => row.file && isUnsent(row)).length;
  return unsent > (keeps ? chooseKept(rows).size : 0);
}

/** Makes the browser ask before leaving would lose files. */
export function guardUnsent(): void {
  useBulk.subscribe((state, before) => {
    const { rows, keeps, signedOut } = state;
    if (rows !== before.rows || keeps !== before.keeps || signedOut !== before.signedOut)
      holdPage('files', wouldLose(state));
  });
}
