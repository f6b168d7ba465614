import type { RevisionReason } from '@uprez/contracts/policy/articles';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { afterSeconds } from '../../times.ts';
import { selectPerson } from './person.ts';

type NewRevision = { articleId: string; fields: ArticleFields; reason: RevisionReason; editorId: string | null };

/** Adds a revision to a locked article. Returns the revision's number. */
export async function insertRevision(tx: Tx, { fields, articleId, ...row }: NewRevision): Promise<number> {
  const number = sql<number>`(
    select coalesce(max(number), 0) + 1 from article_revisions where article_id = ${articleId})`;
  const { number: added } = await tx
    .insertInto('articleRevisions')
    .values({ ...row, articleId, number, fields: JSON.stringify(fields) })
    .returning('number')
    .executeTakeFirstOrThrow();
  return added;
}

/** Time during which an editor's autosaves update the same revision, in seconds. */
const autosaveWindowS = 600;

/**
 * Adds an autosave to a locked article. Overwrites the newest revision if it's a recent autosave by the same editor.
 * Returns the number of a new revision, or undefined if it overwrote one.
 */
export async function storeAutosave(tx: Tx, autosave: Omit<NewRevision, 'reason'>): Promise<number | undefined> {
  const { articleId, fields, editorId } = autosave;
  const { numUpdatedRows } = await tx
    .updateTable('articleRevisions')
    .set({ fields: JSON.stringify(fields) })
    .where('articleId', '=', articleId)
    .where('number', '=', (eb) =>
      eb
        .selectFrom('articleRevisions as newest')
        .select(({ fn }) => fn.max('newest.number').as('number'))
        .where('newest.articleId', '=', articleId),
    )
    .where('reason', '=', 'autosave')
    .where('editorId', '=', editorId)
    // Counted from the revision's first save. If each save extended this time, a long session would keep only its last
    // state.
    .where('createdAt', '>', afterSeconds(-autosaveWindowS))
    .executeTakeFirst();
  return numUpdatedRows === 0n ? insertRevision(tx, { ...autosave, reason: 'autosave' }) : undefined;
}

const selectRevisions = (db: DbOrTx, articleId: string) =>
  db
    .selectFrom('articleRevisions as revision')
    .leftJoin('users as editor', 'editor.id', 'revision.editorId')
    .select(['revision.number', 'revision.reason', 'revision.createdAt'])
    .select(selectPerson('editor').as('by'))
    .where('revision.articleId', '=', articleId);

/**
 * Lists the revisions of an article without their content, newest first. `before`: lists only revisions with a lower
 * number.
 */
export function listRevisions(
  db: DbOrTx,
  { articleId, before, limit }: { articleId: string; before?: number | undefined; limit: number },
) {
  let query = selectRevisions(db, articleId)
    .select(sql<string>`revision.fields->>'title'`.as('title'))
    .orderBy('revision.number', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('revision.number', '<', before);
  return query.execute();
}

export const findRevision = (db: DbOrTx, articleId: string, number: number) =>
  selectRevisions(db, articleId).select('revision.fields').where('revision.number', '=', number).executeTakeFirst();

export async function countRevisions(db: DbOrTx, articleId: string): Promise<number> {
  const counted = db.selectFrom('articleRevisions').select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.where('articleId', '=', articleId).executeTakeFirstOrThrow()).n;
}

/**
 * Deletes autosaves older than `ageS` seconds, except the last autosave of each article in each hour. Returns the
 * number of deleted revisions.
 */
export async function pruneRevisions(db: DbOrTx, ageS: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from article_revisions revision using (
      select article_id, number,
        row_number() over (partition by article_id, date_trunc('hour', created_at, 'UTC') order by number desc) as place
      from article_revisions where reason = 'autosave' and created_at < ${afterSeconds(-ageS)}
    ) saved
    where revision.article_id = saved.article_id and revision.number = saved.number and saved.place > 1`.execute(db);
  return Number(numAffectedRows ?? 0);
}
