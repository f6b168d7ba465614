import { sql } from 'kysely';
import type { DbOrTx, Tables } from '../../database.ts';

/** A column with sealed values, and the primary key of its table. */
export type SealedColumn = {
  [Name in keyof Tables]: { table: Name; key: keyof Tables[Name] & string; column: keyof Tables[Name] & string };
}[keyof Tables];

export type SealedText = { id: string; sealed: string };

/** Lists a page of a column's sealed values, ordered by key. */
export async function listSealedTexts(
  db: DbOrTx,
  { table, key, column }: SealedColumn,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<SealedText[]> {
  const [id, text] = [sql.ref(key), sql.ref(column)];
  const rest = after === undefined ? sql`true` : sql`${id} > ${after}`;
  const { rows } = await sql<SealedText>`
    select ${id} as id, ${text} as sealed from ${sql.table(table)}
    where ${text} is not null and ${rest} order by ${id} limit ${limit}`.execute(db);
  return rows;
}

/** Replaces a sealed value. Returns false if it was changed or deleted in the meantime. */
export async function replaceSealedText(
  db: DbOrTx,
  { table, key, column }: SealedColumn,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${to}
    where ${sql.ref(key)} = ${id} and ${sql.ref(column)} = ${from}`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * Replaces the sealed password of the mail server. Returns false if it was changed in the meantime. The settings keep
 * their version.
 */
export async function replaceSealedPassword(db: DbOrTx, { from, to }: { from: string; to: string }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update settings set value = jsonb_set(value::jsonb, '{smtpPassword}', to_jsonb(${to}::text))
    where name = 'email' and value->>'smtpPassword' = ${from}`.execute(db);
  return numAffectedRows === 1n;
}
