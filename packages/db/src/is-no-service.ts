import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Whether an account isn't the one that probes use. At most one is, so PostgreSQL looks for it once per query. */
export const isNoService = (account: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${account} is null or ${account} is distinct from (select id from users where is_service))`;
