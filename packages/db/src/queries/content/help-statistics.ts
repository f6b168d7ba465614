import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { today } from '../../times.ts';

const firstDay = (days: number) => sql<string>`${today} - ${days}::integer`;

/** Counts a search for today. `terms`: maximum number of different terms counted per day. */
export async function recordSearch(
  db: DbOrTx,
  { term, missed, terms }: { term: string; missed: boolean; terms: number },
): Promise<void> {
  await sql`
    insert into search_days (day, term, searches, missed)
    select ${today}, ${term}, 1, ${missed ? 1 : 0}
    where (select count(*) from search_days where day = ${today}) < ${terms}
      or exists (select from search_days where day = ${today} and term = ${term})
    on conflict (day, term) do update set searches = search_days.searches + 1,
      missed = search_days.missed + excluded.missed`.execute(db);
}

type StatisticsQuery = { days: number; limit: number };

/**
 * Lists the most frequent searches of the last `days` days. `missed`: lists only searches that found nothing, sorted by
 * how often that happened.
 */
export const listSearchCounts = (db: DbOrTx, { missed, days, limit }: StatisticsQuery & { missed: boolean }) =>
  db
    .selectFrom('searchDays')
    .select(['term', sql<string>`max(day)::text`.as('lastDay')])
    .select([
      sql<number>`sum(searches)::double precision`.as('searches'),
      sql<number>`sum(missed)::double precision`.as('missed'),
    ])
    .where('day', '>', firstDay(days))
    .groupBy('term')
    .having(sql`sum(missed)`, missed ? '>' : '>=', 0)
    .orderBy(sql`case when ${missed} then sum(missed) else sum(searches) end`, 'desc')
    .orderBy('term')
    .limit(limit)
    .execute();

export async function recordVote(db: DbOrTx, { id, helpful }: { id: string; helpful: boolean }): Promise<void> {
  const [yes, no] = helpful ? [1, 0] : [0, 1];
  await sql`
    insert into article_votes (article_id, day, yes, no) values (${id}, ${today}, ${yes}, ${no})
    on conflict (article_id, day) do update set yes = article_votes.yes + excluded.yes,
      no = article_votes.no + excluded.no`.execute(db);
}

/** Lists the votes of the last `days` days by article, least helpful first. */
export const listVoteCounts = (db: DbOrTx, { days, limit }: StatisticsQuery) =>
  db
    .selectFrom('articleVotes as vote')
    .innerJoin('articles', 'articles.id', 'vote.articleId')
    .select(['articles.id', 'articles.title'])
    .select([
      sql<number>`sum(vote.yes)::double precision`.as('yes'),
      sql<number>`sum(vote.no)::double precision`.as('no'),
    ])
    .where('vote.day', '>', firstDay(days))
    .where('articles.deletedAt', 'is', null)
    .groupBy('articles.id')
    .orderBy(sql`sum(vote.no) - sum(vote.yes)`, 'desc')
    .orderBy('articles.id')
    .limit(limit)
    .execute();

/** Deletes searches and votes that are older than `days` days. Returns the number of deleted rows. */
export async function deleteHelpStatistics(db: DbOrTx, days: number): Promise<number> {
  const searches = await db.deleteFrom('searchDays').where('day', '<=', firstDay(days)).executeTakeFirst();
  const votes = await db.deleteFrom('articleVotes').where('day', '<=', firstDay(days)).executeTakeFirst();
  return Number(searches.numDeletedRows + votes.numDeletedRows);
}
