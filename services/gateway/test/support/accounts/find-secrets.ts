import type { Db } from '@uprez/db/database';
import type { RedisProbe } from '@uprez/testing/redis';
import { sql } from 'kysely';

/** Unique secrets by name. */
export type Canaries = ReadonlyMap<string, string>;

/** Returns the encodings of a text to search for: plain, URL, JSON, and hexadecimal. */
const spellings = (secret: string) => [
  ...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), toHex(secret)]),
];
const toHex = (text: string) => Buffer.from(text).toString('hex');

/** Returns the canaries that a text contains in any encoding. */
export const findIn = (text: string, canaries: Canaries): string[] =>
  [...canaries].filter(([, secret]) => spellings(secret).some((form) => text.includes(form))).map(([name]) => name);

/** Returns the canaries found by table, in all columns and rows. */
export async function findInTables(
  db: Db,
  canaries: Canaries,
): Promise<{ found: Record<string, string[]>; rows: number }> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const found: Record<string, string[]> = {};
  let rows = 0;
  for (const { name } of tables.rows) {
    const content = await sql<{
      text: string;
    }>`select ${sql.table(name)}::text as text from ${sql.table(name)}`.execute(db);
    rows += content.rows.length;
    const names = findIn(content.rows.map(({ text }) => text).join('\n'), canaries);
    if (names.length > 0) found[name] = names;
  }
  return { found, rows };
}

/** Returns all keys under a prefix with their values as text. */
export async function dumpRedis(client: RedisProbe['client'], prefix: string): Promise<string[]> {
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => client.get(key),
    list: (key) => client.lrange(key, 0, -1),
    set: (key) => client.smembers(key),
    zset: (key) => client.zrange(key, '0', '-1'),
    hash: (key) => client.hgetall(key),
    stream: (key) => client.xrange(key, '-', '+'),
  };
  const texts: string[] = [];
  for (const key of await client.keys(`*${prefix}*`)) {
    const type = await client.type(key);
    const reader = read[type];
    if (!reader && type !== 'none') throw new Error(`a key of type ${type}`);
    texts.push(`${key} ${JSON.stringify(await reader?.(key))}`);
  }
  return texts;
}
