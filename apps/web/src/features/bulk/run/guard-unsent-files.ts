import { setUnloadGuard } from '../../../lib/browser/unload-guard.ts';
import { type BulkState, useBulk } from '../state/bulk-store.ts';
import { isAwaitingUpload } from '../state/row.ts';
import { isUnsent, selectStoredFiles } from '../state/stored-files.ts';

/** Whether leaving the page would interrupt an upload or lose files. */
export function wouldLoseFiles({ rows, keeps, signedOut }: Pick<BulkState, 'rows' | 'keeps' | 'signedOut'>): boolean {
  // After the session has ended, the page redirects to the sign-in.
  if (signedOut) return false;
  if (rows.some((row) => row.status === 'uploading' || isAwaitingUpload(row))) return true;
  const unsent = rows.filter((row) => row.file && isUnsent(row)).length;
  return unsent > (keeps ? selectStoredFiles(rows).size : 0);
}

/** Makes the browser ask before leaving would lose files. */
export function guardUnsentFiles(): void {
  useBulk.subscribe((state, before) => {
    const { rows, keeps, signedOut } = state;
    if (rows !== before.rows || keeps !== before.keeps || signedOut !== before.signedOut)
      setUnloadGuard('files', wouldLoseFiles(state));
  });
}
