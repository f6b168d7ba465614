import { ApiError } from '@uprez/client/api-error';
import { expect, it, vi } from 'vitest';
import { useToasts } from '../../../lib/notifications/toast-store.ts';
import { runBulk } from './bulk-bar.tsx';

const latestToast = () => useToasts.getState().toasts[0];

it('makes the calls in order, and shows how many succeeded', async () => {
  const call = vi.fn(async () => {});
  expect(await runBulk(['a', 'b'], { call, done: (count) => `${count} done` })).toEqual([]);
  expect(call.mock.calls.map(([row]: unknown[]) => row)).toEqual(['a', 'b']);
  expect(latestToast()).toMatchObject({ title: '2 done' });
});

it('continues after an error, shows it, and returns the rows that failed', async () => {
  const call = vi.fn(async (row: string) => {
    if (row === 'a') throw new ApiError({ code: 'stripe_event_not_found', status: 404 }, 'Event not found.');
  });
  expect(await runBulk(['a', 'b'], { call, done: String })).toEqual(['a']);
  expect(call).toHaveBeenCalledTimes(2);
  expect(latestToast()).toMatchObject({ title: '1 of 2 failed', description: 'Event not found.', destructive: true });
});
