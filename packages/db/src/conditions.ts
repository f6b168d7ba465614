import { type RawBuilder, type SqlBool, sql } from 'kysely';

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Returns the condition that a user's email address, username, or name contains a string, ignoring case. The expression
 * must match the index `users_text`, or PostgreSQL can't use the index. `byName`: matches names only, for
 * administrators who aren't allowed to read email addresses.
 */
export function hasText(search: string, byName: boolean | undefined): RawBuilder<SqlBool> {
  const pattern = sql`lower(${containsPattern(search)})`;
  const anywhere = sql<SqlBool>`lower(email || ' ' || username || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, ''))
    like ${pattern}`;
  return byName
    ? sql<SqlBool>`(${anywhere} and lower(concat_ws(' ', first_name, last_name)) like ${pattern})`
    : anywhere;
}

/**
 * Whether an account isn't the service account that probes use. At most one service account exists, so PostgreSQL looks
 * up its ID once per query.
 */
export const isNotServiceAccount = (account: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${account} is null or ${account} is distinct from (select id from users where is_service))`;

const escapeWildcards = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Returns the `like` or `ilike` pattern for strings that contain `text`, with wildcards in `text` escaped. */
export const containsPattern = (text: string): string => `%${escapeWildcards(text)}%`;

export const prefixPattern = (text: string): string => `${escapeWildcards(text)}%`;

export const suffixPattern = (text: string): string => `%${escapeWildcards(text)}`;
