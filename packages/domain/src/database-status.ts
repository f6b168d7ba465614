import { isDatabaseUnavailable as isUnavailable } from '@uprez/db/is-database-unavailable';
import { ping } from '@uprez/db/queries/instance/instance';
import type { Needs } from './context.ts';

/** Whether an error means that the database is unreachable or overloaded. */
export const isDatabaseUnavailable = (error: unknown): boolean => isUnavailable(error);

/** Runs a query that needs no table. Throws when the database does not respond. */
export const pingDatabase = (ctx: Needs<'db'>): ReturnType<typeof ping> => ping(ctx.db);
