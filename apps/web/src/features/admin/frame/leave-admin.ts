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

/** Sends a visitor to the sign-in page after a toast, and back afterward. Returns a function that cancels it. */
export function redirectVisitor(): () => void {
  showToast({ ...text.visitor, destructive: true });
  return goAfterDelay(`${paths.auth}?${new URLSearchParams(currentPage())}`);
}

/** The same for an administrator whose session ended. The dashboard has a toast of its own. */
export function redirectEndedSession(): () => void {
  if (window.location.pathname !== paths.admin) return redirectAfterSessionEnd();
  showToast({ ...text.ended, destructive: true });
  return goAfterDelay(routeUrl(apiRoutes.loginPage, { query: currentPage() }));
}
