import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  'alter table articles add column place integer not null default 0',
  'create index articles_place on articles (kind, place, id) where deleted_at is null',
  `create table article_search (
    article_id uuid primary key references articles on delete cascade,
    vector tsvector not null,
    body text not null
  )`,
  'create index article_search_vector on article_search using gin (vector)',
  `create table search_words (word text primary key)`,
  'create index search_words_trigrams on search_words using gin (word gin_trgm_ops)',
  `create table search_days (
    day date not null,
    term text not null check (term <> ''),
    searches integer not null default 0 check (searches >= 0),
    missed integer not null default 0 check (missed >= 0),
    primary key (day, term)
  )`,
  `create table article_votes (
    article_id uuid not null references articles on delete cascade,
    day date not null,
    yes integer not null default 0 check (yes >= 0),
    no integer not null default 0 check (no >= 0),
    primary key (article_id, day)
  )`,
];

/** The order of articles, the search of the help center, and what its readers search and think of it. */
export const help: Migration = {
  up: runAll(statements),
  down: runAll([
    ...['article_votes', 'search_days', 'search_words', 'article_search'].map((table) => `drop table ${table}`),
    'alter table articles drop column place',
  ]),
};
