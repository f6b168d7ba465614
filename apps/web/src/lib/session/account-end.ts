import type { User } from '@uprez/contracts/schemas/user';
import { queryClient } from '../api/query-client.ts';
import { userKey } from '../api/user-key.ts';
import { releasePage } from '../browser/leave-guard.ts';
import { hearTabs, type TabNews, tellTabs } from '../browser/tabs.ts';
import { forgetAll, forgetHere } from './forget.ts';

/** Id of the account that was last signed in here; a session that ended by itself leaves it. */
const ownerName = 'uprez.owner';

function inStorage<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/** Remember whose files are kept here. */
export const rememberOwner = (userId: string) => inStorage(() => localStorage.setItem(ownerName, userId));

/** Somebody signed in: what another account has left here is forgotten. */
export async function claimBrowser(userId: string): Promise<void> {
  const owner = inStorage(() => localStorage.getItem(ownerName)) ?? userId;
  if (owner !== userId) await forgetAll();
  rememberOwner(userId);
  tellTabs({ kind: 'signed-in', userId });
}

/** The user has ended the session: forget everything of the account, in all tabs, and start over at `/`. */
export async function startOver(): Promise<void> {
  releasePage();
  tellTabs({ kind: 'signed-out' });
  await forgetAll();
  // The way back does not lead to the page as it was.
  window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload());
  window.location.assign('/');
}

/** The account is to be deleted: forget its images in all tabs. Its owner stays signed in, and may think again. */
export async function forgetImages(): Promise<void> {
  tellTabs({ kind: 'forget' });
  await forgetAll();
}

/** The session was ended elsewhere: nothing of the account stays in this tab. */
function leaveAccount() {
  forgetHere();
  queryClient.setQueryData(userKey, null);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userKey[0] });
  queryClient.getMutationCache().clear();
}

function hear(news: TabNews) {
  if (news.kind === 'forget') return forgetHere();
  const user = queryClient.getQueryData<User | null>(userKey);
  if (!user || (news.kind === 'signed-in' && news.userId === user.id)) return;
  leaveAccount();
  // Somebody else is signed in now.
  if (news.kind === 'signed-in') void queryClient.refetchQueries({ queryKey: userKey });
}

/** Follow what happens to the session in other tabs. */
export const followTabs = () => hearTabs(hear);
