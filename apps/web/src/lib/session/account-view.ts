import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { generatePath } from 'react-router';
import { paths } from '../../site-map.ts';
import { clearUnloadGuards } from '../browser/unload-guard.ts';
import { startSession } from './session-lifecycle.ts';

/** Clears the previous account's data in all tabs. */
async function openAsUser(userId: string, path: string): Promise<void> {
  clearUnloadGuards();
  await startSession(userId);
  window.location.assign(path);
}

/** Opens the dashboard of a user whose account the administrator has started to view. */
export const openViewedAccount = (userId: string): Promise<void> => openAsUser(userId, paths.dashboard);

/** Returns to the administrator's own account after a view. Opens the admin page of the viewed user. */
export const returnToOwnAccount = (userId: string, viewedId: string): Promise<void> =>
  openAsUser(userId, generatePath(adminPages.user, { id: viewedId }));
