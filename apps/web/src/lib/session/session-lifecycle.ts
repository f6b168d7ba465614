import type { User } from '@uprez/contracts/schemas/user';
import { userKey } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { clearUnloadGuards } from '../browser/unload-guard.ts';
import { clearAccountData, clearTabData } from './account-data.ts';

export type TabMessage =
  | { kind: 'signed-out' }
  | { kind: 'signed-in'; userId: string }
  | { kind: 'user-changed' }
  | { kind: 'data-cleared' };

let channel: BroadcastChannel | undefined;

const postToTabs = (message: TabMessage) => channel?.postMessage(message);

/** Name of the entry with the id of the last signed-in account. It outlives a session that expires. */
const ownerName = 'uprez.owner';

function ignoreErrors<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/** Stores which account the data in this browser belongs to. */
export const saveOwner = (userId: string) => ignoreErrors(() => localStorage.setItem(ownerName, userId));

/** The account that the data in this browser belongs to. Signing out removes it, so it is there when a session has expired. */
export const findOwner = (): string | undefined => ignoreErrors(() => localStorage.getItem(ownerName)) ?? undefined;

/** Starts the session of a user: clears the data of another account, and tells the other tabs. */
export async function startSession(userId: string): Promise<void> {
  const owner = findOwner() ?? userId;
  if (owner !== userId) await clearAccountData();
  saveOwner(userId);
  postToTabs({ kind: 'signed-in', userId });
}

/** Ends the session after a sign-out: clears the account's data in all tabs, and reloads the site at `/`. */
export async function endSession(): Promise<void> {
  clearUnloadGuards();
  postToTabs({ kind: 'signed-out' });
  await clearAccountData();
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

/** Applies session changes of other tabs to this tab. */
export function syncTabs(): void {
  channel = new BroadcastChannel('uprez.session');
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => receive(data);
}
