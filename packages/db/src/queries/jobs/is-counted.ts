import { type SqlBool, sql } from 'kysely';

/** Whether administrators see a job in lists, totals, and alerts: those of the sandbox are tests of our users. */
export const isCounted = sql<SqlBool>`jobs.kind <> 'sandbox'`;
