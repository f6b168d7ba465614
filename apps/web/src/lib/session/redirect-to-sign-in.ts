import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { messages } from '../../messages.ts';
import { showToast } from '../notifications/toast-store.ts';
import { findOwner } from './session-lifecycle.ts';

const visitorDelayMs = 1_000;
const sessionEndDelayMs = 500;

type Destination = {
  /** Sign-in is the default. */
  tab?: 'sign-up';
  /** The current page is the default. */
  next?: string;
};

/**
 * Shows a toast and redirects a visitor who needs an account. The image and the settings are kept. If the data in this
 * browser belongs to an account, the session has expired, so the sign-in form opens.
 */
export function redirectToSignIn({ tab, ...destination }: Destination = {}): void {
  showToast({ ...messages.session.signInFirst, destructive: true });
  redirect(visitorDelayMs, findOwner() === undefined ? { ...destination, ...(tab && { tab }) } : destination);
}

/**
 * Shows a toast and redirects to the sign-in after the session has ended. The sign-in leads back to this page. Returns
 * a function that cancels the redirect.
 */
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
