// cspell:ignore tsvector setweight
import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** The words of an article with the words of a configuration. */
const refill = (config: string) => `update article_search set vector =
  setweight(to_tsvector('${config}', articles.title), 'A') || setweight(to_tsvector('${config}', articles.excerpt), 'B')
  || setweight(to_tsvector('${config}', article_search.body), 'C')
  from articles where articles.id = article_search.article_id`;

/** The search of the help center keeps words such as "not", which a list of stop words would leave out. */
export const helpWords: Migration = {
  up: runAll([
    'create text search dictionary help_stem (template = snowball, language = english)',
    'create text search configuration help_words (copy = english)',
    'alter text search configuration help_words alter mapping replace english_stem with help_stem',
    refill('help_words'),
  ]),
  down: runAll([
    refill('english'),
    'drop text search configuration help_words',
    'drop text search dictionary help_stem',
  ]),
};
