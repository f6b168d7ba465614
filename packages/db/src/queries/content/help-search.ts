// cspell:ignore setweight websearch plainto numnode trgm
import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';

/** Characters that mark what a search matches. Texts don't contain them: they are for private use. */
export const matchMarks = { start: '\uE000', end: '\uE001' } as const;
/** Stands for `<` in texts with marks: PostgreSQL would leave out what looks like a tag. */
export const lessThan = '\uE002';
const withoutTags = (column: RawBuilder<unknown>) => sql`replace(${column}, '<', ${lessThan})`;
const marks = sql.raw(`StartSel=${matchMarks.start}, StopSel=${matchMarks.end}`);
/** Without stop words: articles keep all of their words. */
const config = sql.raw(`'help_words'`);
/** Common words of searches are left out, except those that change the meaning. */
const common = sql.raw(`'english'`);
const negations = ['no', 'not', 'nor', 'never', 'without'];
/** An SQL condition: whether a word of a search counts. `or` joins words. */
const isSignificantWord = (word: RawBuilder<unknown>) =>
  sql`(to_tsvector(${common}, ${word}) <> '' or lower(${word}) in (${sql.join([...negations, 'or'])}))`;

/** `body`: without markup. */
type SearchText = { articleId: string; title: string; excerpt: string; body: string };

/** Makes an article findable by its title, which counts most, its excerpt, and its text. */
export async function storeSearchText(tx: Tx, { articleId, title, excerpt, body }: SearchText): Promise<void> {
  await sql`
    insert into article_search (article_id, vector, body)
    values (${articleId}, setweight(to_tsvector(${config}, ${title}), 'A')
      || setweight(to_tsvector(${config}, ${excerpt}), 'B') || setweight(to_tsvector(${config}, ${body}), 'C'), ${body})
    on conflict (article_id) do update set vector = excluded.vector, body = excluded.body`.execute(tx);
  // In one order, so that two transactions don't wait for each other.
  await sql`
    insert into search_words (word)
    select word from unnest(tsvector_to_array(to_tsvector('simple', ${`${title} ${excerpt} ${body}`}))) word
    where word ~ '^[[:alpha:]]{3,40}$' order by word
    on conflict do nothing`.execute(tx);
}

/** A search as PostgreSQL reads it. No text is an error. */
export type SearchQuery = RawBuilder<string>;

/** All words, phrases in quotes, words after a minus excluded. */
export const wholeQuery = (text: string): SearchQuery =>
  // A phrase needs all of its words.
  text.includes('"')
    ? sql<string>`websearch_to_tsquery(${config}, ${text})`
    : sql<string>`websearch_to_tsquery(${config}, (
        select coalesce(string_agg(word, ' ' order by place), '')
        from regexp_split_to_table(${text}, '\\s+') with ordinality as words (word, place) where ${isSignificantWord(sql`word`)}
      ))`;

/** At least one of the words. Common ones and negations are in most articles. */
export const anyQuery = (words: readonly string[]): SearchQuery =>
  sql<string>`websearch_to_tsquery(${config}, (
    select coalesce(string_agg(word, ' or '), '') from unnest(${words}::text[]) as word
    where to_tsvector(${common}, word) <> ''
  ))`;

/** Like `wholeQuery`, with the last word as the start of one. `prefix`: letters and digits. */
export const prefixQuery = ({ before, prefix }: { before: string; prefix: string }): SearchQuery =>
  sql<string>`(${wholeQuery(before)} && to_tsquery(${config},
    case when ${isSignificantWord(sql`${prefix}::text`)} then ${`${prefix}:*`} else '' end))`;

/** `search`: the number of the search that found it, from 0. */
export type FoundText = { search: number; slug: string; category: string | null; title: string; excerpt: string };

const publicArticles = sql`
  article_search search join articles on articles.id = search.article_id
  where articles.kind = 'help' and articles.status = 'published' and articles.deleted_at is null`;

const isFound = (query: RawBuilder<unknown>) =>
  sql`exists (select from ${publicArticles} and search.vector @@ ${query})`;

/**
 * The public help articles that the first of some searches with a match finds, the best first, with its matches between
 * marks.
 */
export async function findHelpTexts(db: DbOrTx, searches: readonly SearchQuery[], limit: number): Promise<FoundText[]> {
  const numbered = searches.map((words, at) => sql`(${sql.lit(at)}, ${words})`);
  // Materialized: the texts of all matches would be marked otherwise.
  const { rows } = await sql<FoundText>`
    with searches (number, words) as materialized (values ${sql.join(numbered)}), query as materialized (
      select number, words from searches where ${isFound(sql`searches.words`)} order by number limit 1
    ), best as materialized (
      select articles.id, articles.slug, articles.title, search.body,
        ts_rank(search.vector, (select words from query)) as rank
      from ${publicArticles} and search.vector @@ (select words from query)
      order by rank desc, articles.place, articles.id limit ${limit}
    )
    select number as search, slug,
      (select name from article_categories member join categories on categories.id = member.category_id
        where member.article_id = best.id order by categories.id limit 1) as category,
      ts_headline(${config}, ${withoutTags(sql`title`)}, words, '${marks}, HighlightAll=true') as title,
      ts_headline(${config}, ${withoutTags(sql`left(body, 4000)`)}, words,
        '${marks}, MaxFragments=2, MaxWords=24, MinWords=10, FragmentDelimiter=" ... "') as excerpt
    from best cross join query order by rank desc, id`.execute(db);
  return rows;
}

/**
 * The words of a search, with the most similar word of public help articles in place of each that is in none. Words that are
 * too common to be searched stay. One statement for all words: each query would cost more than its work.
 */
export async function correctWords(db: DbOrTx, words: readonly string[], similarity: number): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    with asked as materialized (
      select word, place,
        to_tsvector(${common}, word) = '' or ${isFound(sql`plainto_tsquery(${config}, word)`)} as is_known
      from unnest(${words}::text[]) with ordinality as words (word, place)
    )
    select coalesce(similar_word.word, asked.word) as word
    from asked left join lateral (
      select word from (
        select word, similarity(word, asked.word) as value from search_words
        where not asked.is_known and word % asked.word and similarity(word, asked.word) >= ${similarity}
        order by value desc, word limit 5
      ) candidates
      where ${isFound(sql`plainto_tsquery(${config}, word)`)} order by value desc, word limit 1
    ) similar_word on true
    order by asked.place`.execute(db);
  return rows.map(({ word }) => word);
}
