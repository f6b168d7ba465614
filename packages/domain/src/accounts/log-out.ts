import { deleteSession } from '@uprez/db/queries/accounts/sessions';
import type { Needs } from '../context.ts';
import { hashSessionSecret } from './session-secret.ts';

/** End a session; it is dead from the next request on. */
export const logOut = (ctx: Needs<'db'>, secret: string): Promise<void> =>
  deleteSession(ctx.db, hashSessionSecret(secret));
