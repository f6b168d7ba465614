import type { User } from '@uprez/contracts/schemas/user';
import { userKey } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { clearUnloadGuards } from '../browser/unload-guard.ts';
import { clearAccountData, clearTabData, ownerName } from './account-data.ts';

export type TabMessage =
  | { kind: 'signed-out' }
  | { kind: 'signed-in'; userId: string }
  | { kind: 'user-changed' }
  | { kind: 'data-cleared' };

let channel: BroadcastChannel | undefined;

const postToTabs = (message: TabMessage) => channel?.postMessage(message);

/** In place of an owner: a sign-out has begun, and the data may not be cleared yet. */
const signedOut = 'signed-out';

function ignoreErrors<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

const readOwner = () => ignoreErrors(() => localStorage.getItem(ownerName)) ?? undefined;
const writeOwner = (owner: string) => ignoreErrors(() => localStorage.setItem(ownerName, owner));

/** Stores which account the data in this browser belongs to, unless a sign-out is about to clear it. */
export function saveOwner(userId: string): void {
  if (readOwner() !== signedOut) writeOwner(userId);
}

/** The account that the data in this browser belongs to. Signing out removes it, so it is there when a session has expired. */
export function findOwner(): string | undefined {
  const owner = readOwner();
  return owner === signedOut ? undefined : owner;
}

/** Lets one tab at a time change the data and its owner. Insecure contexts have no locks. */
const exclusively = async (change: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request(ownerName, change) : change();

/** Starts the session of a user: clears the data of another account, and tells the other tabs. */
export async function startSession(userId: string): Promise<void> {
  await exclusively(async () => {
    if ((readOwner() ?? userId) !== userId) await clearAccountData();
    writeOwner(userId);
  });
  postToTabs({ kind: 'signed-in', userId });
}

/** Clears the data after a sign-out, unless somebody else has signed in meanwhile and done so. */
const finishSignOut = () =>
  exclusively(async () => {
    if (readOwner() !== signedOut) return;
    await clearAccountData();
    ignoreErrors(() => localStorage.removeItem(ownerName));
  });

/**
 * Ends the session after a sign-out: clears the account's data in all tabs, and reloads the site at `/`. If this tab is closed
 * before that, the next one that opens the site clears it.
 */
export async function endSession(): Promise<void> {
  clearUnloadGuards();
  // Before the other tabs are told: they keep what was typed for the owner.
  writeOwner(signedOut);
  postToTabs({ kind: 'signed-out' });
  clearTabData();
  await finishSignOut();
  // The browser's back button would restore the page from its cache.
  window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload());
  window.location.assign('/');
}

/** Clears the account's data in all tabs without ending the session. */
export async function clearDataInAllTabs(): Promise<void> {
  postToTabs({ kind: 'data-cleared' });
  await clearAccountData();
}

export const shareUserChange = () => postToTabs({ kind: 'user-changed' });

function signOutTab() {
  clearTabData();
  queryClient.setQueryData(userKey, null);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userKey[0] });
  queryClient.getMutationCache().clear();
}

function receive(message: TabMessage) {
  if (message.kind === 'data-cleared') return clearTabData();
  const user = queryClient.getQueryData<User | null>(userKey);
  if (!user || (message.kind === 'signed-in' && message.userId === user.id)) return;
  if (message.kind !== 'user-changed') signOutTab();
  if (message.kind !== 'signed-out') void queryClient.refetchQueries({ queryKey: userKey });
}

/** Applies session changes of other tabs to this tab, and finishes a sign-out that was interrupted. */
export function syncTabs(): void {
  void finishSignOut();
  channel = new BroadcastChannel('uprez.session');
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => receive(data);
}
