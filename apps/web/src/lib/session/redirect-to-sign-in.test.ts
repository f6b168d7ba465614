import { afterEach, expect, it, vi } from 'vitest';
import { useToasts } from '../notifications/toast-store.ts';
import { redirectAfterSessionEnd } from './redirect-to-sign-in.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('says that the session ended, and opens the sign-in after 500 ms', () => {
  vi.useFakeTimers();
  const assign = vi.fn();
  vi.stubGlobal('window', { location: { pathname: '/subscribe', search: '?plan=pro', hash: '', assign } });
  const cancel = redirectAfterSessionEnd();
  expect(useToasts.getState().toasts).toMatchObject([
    { title: 'Unauthorized', description: 'You are logged out. Logging in again...', destructive: true },
  ]);
  vi.advanceTimersByTime(499);
  expect(assign).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(assign.mock.calls).toEqual([[`/api/login?next=${encodeURIComponent('/subscribe?plan=pro')}`]]);
  cancel();
});

it('stays on the page when it is canceled in time', () => {
  vi.useFakeTimers();
  const assign = vi.fn();
  vi.stubGlobal('window', { location: { pathname: '/dashboard', search: '', hash: '', assign } });
  redirectAfterSessionEnd()();
  vi.advanceTimersByTime(1_000);
  expect(assign).not.toHaveBeenCalled();
});
