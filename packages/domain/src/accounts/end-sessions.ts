import { deleteUserSessions } from '@uprez/db/queries/accounts/sessions';
import type { Needs } from '../context.ts';

/** Sign a user out everywhere. */
export const endSessions = (ctx: Needs<'db'>, userId: string): Promise<void> => deleteUserSessions(ctx.db, userId);
