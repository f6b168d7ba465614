import { useBulk } from './bulk-store.ts';
import { isToSend } from './row.ts';

const guard = (event: BeforeUnloadEvent) => event.preventDefault();

/** Have the browser ask before the page is left while files are unsent; after a session ended the way leads away. */
export function guardUnsent(): void {
  let guards = false;
  useBulk.subscribe(({ rows, signedOut }) => {
    const unsent = !signedOut && rows.some((row) => row.status === 'uploading' || isToSend(row));
    if (unsent === guards) return;
    guards = unsent;
    if (unsent) window.addEventListener('beforeunload', guard);
    else window.removeEventListener('beforeunload', guard);
  });
}
