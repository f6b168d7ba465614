import { limits } from '@uprez/contracts/policy/limits';
import { deleteOldViews as deleteRows, listViewsOfUser, type ViewRow } from '@uprez/db/queries/accounts/account-views';
import type { Needs } from '../../context.ts';

const listed = 100;

/** The newest times for which administrators saw the web app as a user. */
export const listViews = (ctx: Needs<'db'>, userId: string): Promise<ViewRow[]> =>
  listViewsOfUser(ctx.db, userId, listed);

/** Deletes views after the days for which users can see them. Safe to repeat. */
export const deleteOldViews = (ctx: Needs<'db'>) => deleteRows(ctx.db, limits.viewDays * 86_400);
