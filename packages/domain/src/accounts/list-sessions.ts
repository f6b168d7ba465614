import { listUserSessions, type SessionRow } from '@uprez/db/queries/accounts/sessions';
import type { Needs } from '../context.ts';
import { sessionLifeS } from './session-life.ts';

export type Session = SessionRow;

/** The sessions of a user that are still alive, the newest first. */
export const listSessions = async (ctx: Needs<'db' | 'settings'>, userId: string): Promise<SessionRow[]> =>
  listUserSessions(ctx.db, userId, await sessionLifeS(ctx));
