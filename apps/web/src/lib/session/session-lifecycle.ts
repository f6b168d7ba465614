import type { User } from '@uprez/contracts/schemas/user';
import { userKey } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { ignoreErrors } from '../browser/ignore-errors.ts';
import { clearUnloadGuards } from '../browser/unload-guard.ts';
import { clearAccountData, clearTabData, ownerKey } from './account-data.ts';

export type TabMessage =
  | { kind: 'signed-out' }
  | { kind: 'signed-in'; userId: string }
  | { kind: 'user-changed' }
  | { kind: 'data-cleared' };

let channel: BroadcastChannel | undefined;

const postToTabs = (message: TabMessage) => channel?.postMessage(message);

/** Stored instead of an owner ID from the start of a sign-out until the data is cleared. */
const signedOutMarker = 'signed-out';

const readOwner = () => ignoreErrors(() => localStorage.getItem(ownerKey)) ?? undefined;
const writeOwner = (owner: string) => ignoreErrors(() => localStorage.setItem(ownerKey, owner));

/** Stores the ID of the account that owns the data in this browser, unless a sign-out is in progress. */
export function saveOwner(userId: string): void {
  if (readOwner() !== signedOutMarker) writeOwner(userId);
}

/**
 * Returns the ID of the account that owns the data in this browser. Signing out removes the ID, but an expired session
 * doesn't.
 */
export function findOwner(): string | undefined {
  const owner = readOwner();
  return owner === signedOutMarker ? undefined : owner;
}

/**
 * Runs changes to the data and its owner in one tab at a time. Insecure contexts have no Web Locks API, so changes run
 * without a lock.
 */
const withOwnerLock = async (change: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request(ownerKey, change) : change();

/** Starts a user's session: clears another account's data and notifies the other tabs. */
export async function startSession(userId: string): Promise<void> {
  await withOwnerLock(async () => {
    if ((readOwner() ?? userId) !== userId) await clearAccountData();
    writeOwner(userId);
  });
  postToTabs({ kind: 'signed-in', userId });
}

/** Clears the data after a sign-out, unless another tab or a new session has already done so. */
const finishSignOut = () =>
  withOwnerLock(async () => {
    if (readOwner() !== signedOutMarker) return;
    await clearAccountData();
    ignoreErrors(() => localStorage.removeItem(ownerKey));
  });

/**
 * Ends the session after a sign-out: clears the account's data in all tabs and reloads the site at `/`. If this tab is
 * closed first, the next tab that opens the site clears the data.
 */
export async function endSession(): Promise<void> {
  clearUnloadGuards();
  // Must precede the message: other tabs keep unsaved form input as long as its owner is stored.
  writeOwner(signedOutMarker);
  postToTabs({ kind: 'signed-out' });
  clearTabData();
  await finishSignOut();
  // Reloads if the back button restores the page from the back/forward cache.
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

function handleTabMessage(message: TabMessage) {
  if (message.kind === 'data-cleared') return clearTabData();
  const user = queryClient.getQueryData<User | null>(userKey);
  if (!user || (message.kind === 'signed-in' && message.userId === user.id)) return;
  if (message.kind !== 'user-changed') signOutTab();
  if (message.kind !== 'signed-out') void queryClient.refetchQueries({ queryKey: userKey });
}

/** Applies session changes from other tabs to this tab, and finishes an interrupted sign-out. */
export function syncTabs(): void {
  void finishSignOut();
  channel = new BroadcastChannel('uprez.session');
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => handleTabMessage(data);
}
