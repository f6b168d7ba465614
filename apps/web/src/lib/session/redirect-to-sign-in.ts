import { routeUrl } from '@uprez/client/route-url';
import { messages } from '../../messages.ts';
import { showToast } from '../notifications/toast-store.ts';

const visitorDelayMs = 1_000;
const sessionEndDelayMs = 500;

/** Redirects a visitor who needs an account, after a toast. The image and the settings are kept. */
export function redirectToSignIn(): void {
  showToast({ ...messages.session.signInFirst, destructive: true });
  redirect(visitorDelayMs);
}

/** Redirects after the end of a session, and back to this page after the sign-in. Returns a function that cancels it. */
export function redirectAfterSessionEnd(): () => void {
  showToast({ ...messages.session.signedOut, destructive: true });
  const timer = redirect(sessionEndDelayMs);
  return () => clearTimeout(timer);
}

function redirect(delayMs: number) {
  const { pathname, search, hash } = window.location;
  const next = pathname + search + hash;
  return setTimeout(() => window.location.assign(routeUrl('loginPage', { query: { next } })), delayMs);
}
