import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { messages } from '../../messages.ts';
import { showToast } from '../notifications/toast-store.ts';
import { findOwner } from './session-lifecycle.ts';

const visitorDelayMs = 1_000;
const sessionEndDelayMs = 500;

type Destination = {
  /** The form to open. Sign-in is the default. */
  tab?: 'sign-up';
  /** The page to open after signing in. The current page is the default. */
  next?: string;
};

/**
 * Redirects a visitor who needs an account, after a toast. The image and the settings are kept. Somebody who has one in this
 * browser signs in: the session has expired.
 */
export function redirectToSignIn({ tab, ...destination }: Destination = {}): void {
  showToast({ ...messages.session.signInFirst, destructive: true });
  redirect(visitorDelayMs, findOwner() === undefined ? { ...destination, ...(tab && { tab }) } : destination);
}

/** Redirects after the end of a session, and back to this page after the sign-in. Returns a function that cancels it. */
export function redirectAfterSessionEnd(): () => void {
  showToast({ ...messages.session.signedOut, destructive: true });
  const timer = redirect(sessionEndDelayMs);
  return () => clearTimeout(timer);
}

function redirect(delayMs: number, { tab, next }: Destination = {}) {
  const { pathname, search, hash } = window.location;
  const query = { next: next ?? pathname + search + hash, ...(tab && { tab }) };
  return setTimeout(() => window.location.assign(routeUrl(apiRoutes.loginPage, { query })), delayMs);
}
