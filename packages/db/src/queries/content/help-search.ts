// cspell:ignore setweight websearch plainto numnode trgm
import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';

/** Characters that mark search matches. They're private-use characters, so articles don't contain them. */
export const matchMarks = { start: '\uE000', end: '\uE001' } as const;
/** Replaces `<` in articles before matches are marked, because PostgreSQL would drop anything that looks like a tag. */
export const lessThanMark = '\uE002';
const withoutTags = (column: RawBuilder<unknown>) => sql`replace(${column}, '<', ${lessThanMark})`;
const headlineOptions = sql.raw(`StartSel=${matchMarks.start}, StopSel=${matchMarks.end}`);
/** Has no stop words, because articles are indexed with all of their words. */
const config = sql.raw(`'help_words'`);
/** Searches ignore its stop words, except words that change the meaning. */
const stopWordConfig = sql.raw(`'english'`);
const negations = ['no', 'not', 'nor', 'never', 'without'];
/** Includes `or`, because it joins words. */
const isSignificantWord = (word: RawBuilder<unknown>) =>
  sql`(to_tsvector(${stopWordConfig}, ${word}) <> '' or lower(${word}) in (${sql.join([...negations, 'or'])}))`;

/** `body`: the text without markup. */
type SearchText = { articleId: string; title: string; excerpt: string; body: string };

/** Indexes an article's title, excerpt, and text for search. The title has the highest weight. */
export async function storeSearchText(tx: Tx, { articleId, title, excerpt, body }: SearchText): Promise<void> {
  await sql`
    insert into article_search (article_id, vector, body)
    values (${articleId}, setweight(to_tsvector(${config}, ${title}), 'A')
      || setweight(to_tsvector(${config}, ${excerpt}), 'B') || setweight(to_tsvector(${config}, ${body}), 'C'), ${body})
    on conflict (article_id) do update set vector = excluded.vector, body = excluded.body`.execute(tx);
  // Sorted, so that two transactions don't deadlock.
  await sql`
    insert into search_words (word)
    select word from unnest(tsvector_to_array(to_tsvector('simple', ${`${title} ${excerpt} ${body}`}))) word
    where word ~ '^[[:alpha:]]{3,40}$' order by word
    on conflict do nothing`.execute(tx);
}

/** A search as a PostgreSQL `tsquery`. Any string is valid and never causes a syntax error. */
export type SearchQuery = RawBuilder<string>;

/** Builds a query that requires all words, supports phrases in quotes, and excludes words after a minus sign. */
export const wholeQuery = (text: string): SearchQuery =>
  // A phrase needs all of its words, even common words.
  text.includes('"')
    ? sql<string>`websearch_to_tsquery(${config}, ${text})`
    : sql<string>`websearch_to_tsquery(${config}, (
        select coalesce(string_agg(word, ' ' order by place), '')
        from regexp_split_to_table(${text}, '\\s+') with ordinality as words (word, place) where ${isSignificantWord(sql`word`)}
      ))`;

/**
 * Builds a query for at least one of the words. Leaves out common words and negations, because most articles contain
 * them.
 */
export const anyQuery = (words: readonly string[]): SearchQuery =>
  sql<string>`websearch_to_tsquery(${config}, (
    select coalesce(string_agg(word, ' or '), '') from unnest(${words}::text[]) as word
    where to_tsvector(${stopWordConfig}, word) <> ''
  ))`;

/** Like `wholeQuery`, but the last word is a prefix. `prefix` must consist of letters and digits. */
export const prefixQuery = ({ before, prefix }: { before: string; prefix: string }): SearchQuery =>
  sql<string>`(${wholeQuery(before)} && to_tsquery(${config},
    case when ${isSignificantWord(sql`${prefix}::text`)} then ${`${prefix}:*`} else '' end))`;

/** `search`: index of the search that found the article, from 0. */
export type FoundText = { search: number; slug: string; category: string | null; title: string; excerpt: string };

const publicArticles = sql`
  article_search search join articles on articles.id = search.article_id
  where articles.kind = 'help' and articles.status = 'published' and articles.deleted_at is null`;

const hasMatch = (query: RawBuilder<unknown>) =>
  sql`exists (select from ${publicArticles} and search.vector @@ ${query})`;

/**
 * Runs the first of these searches that has a match. Returns the public help articles that it finds, best first, with
 * the matches between `matchMarks`.
 */
export async function findHelpTexts(db: DbOrTx, searches: readonly SearchQuery[], limit: number): Promise<FoundText[]> {
  const numbered = searches.map((words, at) => sql`(${sql.lit(at)}, ${words})`);
  // Materialized, because PostgreSQL would otherwise mark matches in all articles that it finds, not only in the best
  // ones.
  const { rows } = await sql<FoundText>`
    with searches (number, words) as materialized (values ${sql.join(numbered)}), query as materialized (
      select number, words from searches where ${hasMatch(sql`searches.words`)} order by number limit 1
    ), best as materialized (
      select articles.id, articles.slug, articles.title, search.body,
        ts_rank(search.vector, (select words from query)) as rank
      from ${publicArticles} and search.vector @@ (select words from query)
      order by rank desc, articles.place, articles.id limit ${limit}
    )
    select number as search, slug,
      (select name from article_categories member join categories on categories.id = member.category_id
        where member.article_id = best.id order by categories.id limit 1) as category,
      ts_headline(${config}, ${withoutTags(sql`title`)}, words, '${headlineOptions}, HighlightAll=true') as title,
      ts_headline(${config}, ${withoutTags(sql`left(body, 4000)`)}, words,
        '${headlineOptions}, MaxFragments=2, MaxWords=24, MinWords=10, FragmentDelimiter=" ... "') as excerpt
    from best cross join query order by rank desc, id`.execute(db);
  return rows;
}

/**
 * Replaces each word of a search that no public help article contains with the most similar word that one contains.
 * Keeps words that are too common to be searched for. Uses one statement for all words, because separate queries would
 * mostly be overhead.
 */
export async function correctWords(db: DbOrTx, words: readonly string[], similarity: number): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    with asked as materialized (
      select word, place,
        to_tsvector(${stopWordConfig}, word) = '' or ${hasMatch(sql`plainto_tsquery(${config}, word)`)} as is_known
      from unnest(${words}::text[]) with ordinality as words (word, place)
    )
    select coalesce(similar_word.word, asked.word) as word
    from asked left join lateral (
      select word from (
        select word, similarity(word, asked.word) as value from search_words
        where not asked.is_known and word % asked.word and similarity(word, asked.word) >= ${similarity}
        order by value desc, word limit 5
      ) candidates
      where ${hasMatch(sql`plainto_tsquery(${config}, word)`)} order by value desc, word limit 1
    ) similar_word on true
    order by asked.place`.execute(db);
  return rows.map(({ word }) => word);
}
