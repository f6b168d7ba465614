import { routeUrl } from '@uprez/client/route-url';
import { showToast } from '../../lib/toast-store.ts';
import { messages } from '../../messages.ts';

const redirectDelayMs = 1_000;

/** Say that processing needs an account, then go and get one; picture and settings are waiting on the way back. */
export function askToSignIn(): void {
  showToast({ ...messages.processor.signInFirst, destructive: true });
  setTimeout(() => window.location.assign(routeUrl('loginPage', { query: { next: '/' } })), redirectDelayMs);
}
