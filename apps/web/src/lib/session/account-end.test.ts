import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { userKey } from '../api/user-key.ts';
import type { TabNews } from '../browser/tabs.ts';
import { claimBrowser, followTabs, forgetImages } from './account-end.ts';
import { onForget } from './forget.ts';

let hear: (event: { data: TabNews }) => void = () => {};
const told: TabNews[] = [];
class Channel {
  postMessage = (news: TabNews) => told.push(news);
  set onmessage(listener: typeof hear) {
    hear = listener;
  }
}
const kept = new Map<string, string>();
const storage = { getItem: (name: string) => kept.get(name) ?? null, setItem: kept.set.bind(kept) };
const forget = vi.fn();
const refetch = vi.spyOn(queryClient, 'refetchQueries').mockResolvedValue();
const user = () => queryClient.getQueryData(userKey);

vi.stubGlobal('BroadcastChannel', Channel);
vi.stubGlobal('localStorage', storage);
onForget(forget);
followTabs();

beforeEach(() => {
  vi.clearAllMocks();
  told.length = 0;
  kept.clear();
  queryClient.setQueryData(userKey, { id: 'ada' });
  queryClient.setQueryData(['/api/jobs'], ['photo.png']);
});
afterAll(() => void vi.unstubAllGlobals());

it('a tab has nothing of the account any more once another has signed out', () => {
  hear({ data: { kind: 'signed-out' } });
  expect([user(), queryClient.getQueryData(['/api/jobs'])]).toEqual([null, undefined]);
  expect(forget).toHaveBeenCalledOnce();
});

it('follows somebody else who signs in elsewhere, and goes on where it is the same', () => {
  hear({ data: { kind: 'signed-in', userId: 'ada' } });
  expect(user()).toEqual({ id: 'ada' });
  expect(forget).not.toHaveBeenCalled();
  hear({ data: { kind: 'signed-in', userId: 'grace' } });
  expect(user()).toBeNull();
  expect(refetch).toHaveBeenCalledWith({ queryKey: userKey });
});

it('keeps what a visitor has when somebody signs in', () => {
  queryClient.setQueryData(userKey, null);
  hear({ data: { kind: 'signed-in', userId: 'grace' } });
  expect(forget).not.toHaveBeenCalled();
});

it('who signs in finds nothing of another account, but all that is their own', async () => {
  await claimBrowser('ada');
  await claimBrowser('ada');
  expect(forget).not.toHaveBeenCalled();
  await claimBrowser('grace');
  expect(forget).toHaveBeenCalledOnce();
  expect(told.at(-1)).toEqual({ kind: 'signed-in', userId: 'grace' });
});

it('an account that is to be deleted loses its images in all tabs, and nobody is signed out', async () => {
  await forgetImages();
  expect(forget).toHaveBeenCalledOnce();
  expect(told).toEqual([{ kind: 'forget' }]);
  hear({ data: { kind: 'forget' } });
  expect(forget).toHaveBeenCalledTimes(2);
  expect(user()).toEqual({ id: 'ada' });
});
