import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showToast, useToasts } from './toast-store.ts';

const toasts = () => useToasts.getState().toasts;

beforeEach(() => {
  vi.useFakeTimers();
  useToasts.setState({ toasts: [] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('shows one toast at a time, the newest', () => {
  showToast({ title: 'first' });
  showToast({ title: 'second', description: 'why', destructive: true });
  expect(toasts()).toMatchObject([{ title: 'second', description: 'why', destructive: true, open: true }]);
});

it('closes a dismissed toast at once and removes it after 1,000,000 ms', () => {
  const id = showToast({ title: 'only' });
  useToasts.getState().dismiss(id);
  expect(toasts()).toMatchObject([{ id, open: false }]);
  vi.advanceTimersByTime(999_999);
  expect(toasts()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts()).toHaveLength(0);
});

it('keeps a newer toast when an older one is removed', () => {
  const first = showToast({ title: 'first' });
  useToasts.getState().dismiss(first);
  showToast({ title: 'second' });
  vi.advanceTimersByTime(1_000_000);
  expect(toasts()).toMatchObject([{ title: 'second', open: true }]);
});
