import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { userKey } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { onClear } from './account-data.ts';
import {
  clearDataInAllTabs,
  endSession,
  findOwner,
  saveOwner,
  shareUserChange,
  startSession,
  syncTabs,
  type TabMessage,
} from './session-lifecycle.ts';

let receive: (event: { data: TabMessage }) => void = () => {};
const posted: TabMessage[] = [];
/** The owner of the data when each message was posted. */
const owners: (string | undefined)[] = [];
class Channel {
  postMessage(message: TabMessage) {
    posted.push(message);
    owners.push(findOwner());
  }
  set onmessage(listener: typeof receive) {
    receive = listener;
  }
}
const entries = new Map<string, string>();
const storage = {
  getItem: (name: string) => entries.get(name) ?? null,
  setItem: entries.set.bind(entries),
  removeItem: entries.delete.bind(entries),
};
const clear = vi.fn();
const refetch = vi.spyOn(queryClient, 'refetchQueries').mockResolvedValue();
const user = () => queryClient.getQueryData(userKey);

vi.stubGlobal('BroadcastChannel', Channel);
vi.stubGlobal('localStorage', storage);
vi.stubGlobal('window', { addEventListener: vi.fn(), removeEventListener: vi.fn(), location: { assign: vi.fn() } });
let turn = Promise.resolve();
const request = (_: string, change: () => Promise<void>) => (turn = turn.then(change));
vi.stubGlobal('navigator', { locks: { request } });
onClear(clear);
syncTabs();

beforeEach(() => {
  vi.clearAllMocks();
  posted.length = 0;
  owners.length = 0;
  entries.clear();
  queryClient.setQueryData(userKey, { id: 'ada' });
  queryClient.setQueryData(['/api/jobs'], ['photo.png']);
});
afterAll(() => void vi.unstubAllGlobals());

it('clears the account when another tab signs out', () => {
  receive({ data: { kind: 'signed-out' } });
  expect([user(), queryClient.getQueryData(['/api/jobs'])]).toEqual([null, undefined]);
  expect(clear).toHaveBeenCalledOnce();
});

it('refetches the user when another tab signs in with another account, not with the same one', () => {
  receive({ data: { kind: 'signed-in', userId: 'ada' } });
  expect(user()).toEqual({ id: 'ada' });
  expect(clear).not.toHaveBeenCalled();
  receive({ data: { kind: 'signed-in', userId: 'grace' } });
  expect(user()).toBeNull();
  expect(refetch).toHaveBeenCalledWith({ queryKey: userKey });
});

it('keeps the data of a visitor when another tab signs in', () => {
  queryClient.setQueryData(userKey, null);
  receive({ data: { kind: 'signed-in', userId: 'grace' } });
  expect(clear).not.toHaveBeenCalled();
});

it('clears the data of another account on sign-in, and keeps that of the same account', async () => {
  await startSession('ada');
  await startSession('ada');
  expect(clear).not.toHaveBeenCalled();
  await startSession('grace');
  expect(clear).toHaveBeenCalledOnce();
  expect(posted.at(-1)).toEqual({ kind: 'signed-in', userId: 'grace' });
});

it('forgets the owner before other tabs hear of a sign-out, and after the data was cleared', async () => {
  await startSession('ada');
  await endSession();
  expect(owners).toEqual(['ada', undefined]);
  expect(clear).toHaveBeenCalled();
  expect([...entries]).toEqual([]);
});

it('keeps the data of an account that signs in before a sign-out in another tab has ended', async () => {
  await startSession('ada');
  let release = () => {};
  turn = new Promise((resolve) => {
    release = resolve;
  });
  const started = startSession('grace');
  const ended = endSession();
  saveOwner('ada');
  clear.mockClear();
  release();
  await Promise.all([started, ended]);
  expect(clear).toHaveBeenCalledOnce();
  expect(findOwner()).toBe('grace');
});

it('clears the data of a sign-out that was interrupted when the site is opened again', async () => {
  entries.set('uprez.owner', 'signed-out');
  expect(findOwner()).toBeUndefined();
  syncTabs();
  await turn;
  expect(clear).toHaveBeenCalledOnce();
  expect([...entries]).toEqual([]);
});

it('clears the data of all tabs without signing out', async () => {
  await clearDataInAllTabs();
  expect(clear).toHaveBeenCalledOnce();
  expect(posted).toEqual([{ kind: 'data-cleared' }]);
  receive({ data: { kind: 'data-cleared' } });
  expect(clear).toHaveBeenCalledTimes(2);
  expect(user()).toEqual({ id: 'ada' });
});

it('refetches the user when another tab has changed it, without clearing anything', () => {
  receive({ data: { kind: 'user-changed' } });
  expect(refetch).toHaveBeenCalledWith({ queryKey: userKey });
  expect(clear).not.toHaveBeenCalled();
  expect(user()).toEqual({ id: 'ada' });
  shareUserChange();
  expect(posted).toEqual([{ kind: 'user-changed' }]);
});
