import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { redirectAfterSessionEnd } from '../../../lib/session/redirect-to-sign-in.ts';
import { paths } from '../../../site-map.ts';
import { adminMessages } from '../messages.ts';

const text = adminMessages.leaving;
const delayMs = 500;

const currentPage = () => ({ next: window.location.pathname + window.location.search + window.location.hash });

function goAfterDelay(url: string) {
  const timer = setTimeout(() => window.location.assign(url), delayMs);
  return () => clearTimeout(timer);
}

/**
 * Shows a toast and sends a visitor to the sign-in page, which leads back afterward. Returns a function that cancels
 * the redirect.
 */
export function redirectVisitor(): () => void {
  showToast({ ...text.visitor, destructive: true });
  return goAfterDelay(`${paths.auth}?${new URLSearchParams(currentPage())}`);
}

/**
 * Sends an administrator whose session ended to the sign-in page. Returns a function that cancels the redirect. The
 * dashboard has its own toast.
 */
export function redirectEndedSession(): () => void {
  if (window.location.pathname !== paths.admin) return redirectAfterSessionEnd();
  showToast({ ...text.ended, destructive: true });
  return goAfterDelay(routeUrl(apiRoutes.loginPage, { query: currentPage() }));
}
