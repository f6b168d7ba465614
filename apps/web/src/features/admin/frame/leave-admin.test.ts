import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useToasts } from '../../../lib/notifications/toast-store.ts';
import { redirectEndedSession, redirectVisitor } from './leave-admin.ts';

const assign = vi.fn();
const openPage = (pathname: string, search = '') =>
  vi.stubGlobal('window', { location: { pathname, search, hash: '', assign } });

beforeEach(() => {
  vi.useFakeTimers();
  assign.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The toast, and the page that is opened after exactly 500 ms. */
function waitForPage() {
  vi.advanceTimersByTime(499);
  expect(assign).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  const { title, description, destructive } = useToasts.getState().toasts[0] ?? {};
  return { toast: [title, description, destructive], url: assign.mock.calls[0]?.[0] };
}

it('asks visitors to sign in, and leads back to the page', () => {
  openPage('/admin/payments', '?status=active');
  redirectVisitor();
  expect(waitForPage()).toEqual({
    toast: ['Unauthorized', 'Please log in to access the admin dashboard.', true],
    url: `/auth?next=${encodeURIComponent('/admin/payments?status=active')}`,
  });
});

it('says on the dashboard that the session expired', () => {
  openPage('/admin');
  redirectEndedSession();
  expect(waitForPage()).toEqual({
    toast: ['Unauthorized', 'Session expired. Redirecting to login...', true],
    url: `/api/login?next=${encodeURIComponent('/admin')}`,
  });
});

it('says on other pages that the user is logged out', () => {
  openPage('/admin/payments');
  redirectEndedSession();
  expect(waitForPage()).toEqual({
    toast: ['Unauthorized', 'You are logged out. Logging in again...', true],
    url: `/api/login?next=${encodeURIComponent('/admin/payments')}`,
  });
});

it('stays on the page when it is canceled in time', () => {
  openPage('/admin');
  redirectVisitor()();
  redirectEndedSession()();
  vi.advanceTimersByTime(1_000);
  expect(assign).not.toHaveBeenCalled();
});
