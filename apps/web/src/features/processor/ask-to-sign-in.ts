import { routeUrl } from '@uprez/client/route-url';
import { showToast } from '../../lib/toast-store.ts';
import { messages } from '../../messages.ts';

const redirectDelayMs = 1_000;
const signedOutDelayMs = 500;

/** Say that processing needs an account, then go and get one; picture and settings are waiting on the way back. */
export function askToSignIn(): void {
  showToast({ ...messages.processor.signInFirst, destructive: true });
  goToSignIn(redirectDelayMs);
}

/** The session ended somewhere else: say so, and come back to what was going on. */
export function askToSignInAgain(): void {
  showToast({ ...messages.processor.signedOut, destructive: true });
  goToSignIn(signedOutDelayMs);
}

const goToSignIn = (delayMs: number) =>
  setTimeout(() => window.location.assign(routeUrl('loginPage', { query: { next: '/' } })), delayMs);
