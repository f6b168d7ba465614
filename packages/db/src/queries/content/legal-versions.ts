import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { now, today } from '../../times.ts';

type NewVersion = {
  articleId: string;
  revision: number;
  html: string;
  /** When the version takes effect. Not before it's published. */
  effectiveAt: Date | RawBuilder<Date>;
  mustAccept: boolean;
};

/** Adds a version to a locked legal article. Returns the version's number. */
export async function insertLegalVersion(tx: Tx, { articleId, effectiveAt, ...row }: NewVersion): Promise<number> {
  const number = sql<number>`(
    select coalesce(max(number), 0) + 1 from legal_versions where article_id = ${articleId})`;
  const { number: added } = await tx
    .insertInto('legalVersions')
    .values({ ...row, articleId, number, effectiveAt: sql<Date>`greatest(now(), ${effectiveAt}::timestamptz)` })
    .returning('number')
    .executeTakeFirstOrThrow();
  return added;
}

const selectVersions = (db: DbOrTx, slug: string) =>
  db
    .selectFrom('legalVersions as version')
    .innerJoin('articles', 'articles.id', 'version.articleId')
    .where('articles.kind', '=', 'legal')
    .where('articles.slug', '=', slug)
    .where('version.withdrawnAt', 'is', null)
    .where('articles.deletedAt', 'is', null);

/**
 * Lists the versions of a legal text, newest first. `isEffective`: whether the version's effective date has passed,
 * which can be true for several versions.
 */
export const listLegalVersions = (db: DbOrTx, slug: string) =>
  selectVersions(db, slug)
    .select(['version.number', 'version.publishedAt', 'version.effectiveAt', 'version.mustAccept'])
    .select((eb) => eb('version.effectiveAt', '<=', now).$castTo<boolean>().as('isEffective'))
    .orderBy('version.number', 'desc')
    .execute();
export type LegalVersionRow = Awaited<ReturnType<typeof listLegalVersions>>[number];

/** Withdraws a version, which must not be effective yet. */
export const withdrawVersion = (tx: Tx, articleId: string, number: number) =>
  tx
    .updateTable('legalVersions')
    .set({ withdrawnAt: now })
    .where('articleId', '=', articleId)
    .where('number', '=', number)
    .execute();

/** Finds the text of a version as it was published. */
export const findLegalText = (db: DbOrTx, slug: string, number: number) =>
  selectVersions(db, slug)
    .innerJoin('articleRevisions as revision', (join) =>
      join.onRef('revision.articleId', '=', 'version.articleId').onRef('revision.number', '=', 'version.revision'),
    )
    .select(['version.html', 'version.publishedAt', 'revision.fields'])
    .where('version.number', '=', number)
    .executeTakeFirst();

type VersionFilter = { isInForce?: boolean };

/**
 * Returns the number of the newest version of a legal text. `isInForce`: considers only versions in force. Returns
 * undefined if no version is found.
 */
export async function findNewestVersion(
  db: DbOrTx,
  slug: string,
  { isInForce = false }: VersionFilter = {},
): Promise<number | undefined> {
  let query = selectVersions(db, slug).select('version.number').orderBy('version.number', 'desc').limit(1);
  if (isInForce) query = query.where('version.effectiveAt', '<=', now);
  return (await query.executeTakeFirst())?.number;
}

/** Whether a day (UTC) is today or at most `days` days ahead. */
export async function isDayWithin(db: DbOrTx, day: string, days: number): Promise<boolean> {
  const { rows } = await sql<{ isWithin: boolean }>`
    select ${day}::date between ${today} and ${today} + ${days}::integer as "isWithin"`.execute(db);
  return rows[0]?.isWithin ?? false;
}
