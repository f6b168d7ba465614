import { routeUrl } from '@uprez/client/route-url';
import { messages } from '../../messages.ts';
import { showToast } from '../notifications/toast-store.ts';

const redirectDelayMs = 1_000;
const signedOutDelayMs = 500;

/** Say that processing needs an account, then go and get one; image and settings are waiting on the way back. */
export function askToSignIn(): void {
  showToast({ ...messages.session.signInFirst, destructive: true });
  goToSignIn(redirectDelayMs);
}

/** The session ended, or there is none yet: say so, and come back to this very page. Returns a stop. */
export function askToSignInAgain(): () => void {
  showToast({ ...messages.session.signedOut, destructive: true });
  const timer = goToSignIn(signedOutDelayMs);
  return () => clearTimeout(timer);
}

function goToSignIn(delayMs: number) {
  const { pathname, search, hash } = window.location;
  const next = pathname + search + hash;
  return setTimeout(() => window.location.assign(routeUrl('loginPage', { query: { next } })), delayMs);
}
