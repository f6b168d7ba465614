import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * The condition that a user's email address, username, or name contains a text, regardless of case. The expression is that
 * of the index `users_text`. `byName`: only the name, for those who may not read email addresses.
 */
export function hasText(search: string, byName: boolean | undefined): RawBuilder<SqlBool> {
  const pattern = sql`lower(${containing(search)})`;
  const anywhere = sql<SqlBool>`lower(email || ' ' || username || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, ''))
    like ${pattern}`;
  return byName
    ? sql<SqlBool>`(${anywhere} and lower(concat_ws(' ', first_name, last_name)) like ${pattern})`
    : anywhere;
}

/** Whether an account isn't the one that probes use. At most one is, so PostgreSQL looks for it once per query. */
export const isNoService = (account: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${account} is null or ${account} is distinct from (select id from users where is_service))`;

const escapeWildcards = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The pattern of `like` and `ilike` for texts that contain another one, whose wildcards are ordinary characters. */
export const containing = (text: string): string => `%${escapeWildcards(text)}%`;

/** The pattern for texts that begin with another one. */
export const beginning = (text: string): string => `${escapeWildcards(text)}%`;

/** The pattern for texts that end with another one. */
export const ending = (text: string): string => `%${escapeWildcards(text)}`;
