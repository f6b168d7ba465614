import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/**
 * Articles are searched far more often than they are published. Without pending entries, a search reads only the index, and
 * the planner prefers it right after many articles were published
 * (https://www.postgresql.org/docs/current/gin.html#GIN-FAST-UPDATE).
 */
export const searchIndexes: Migration = {
  up: runAll([
    'alter index article_search_vector set (fastupdate = off)',
    'alter index search_words_trigrams set (fastupdate = off)',
    `select gin_clean_pending_list('article_search_vector')`,
    `select gin_clean_pending_list('search_words_trigrams')`,
  ]),
  down: runAll([
    'alter index article_search_vector reset (fastupdate)',
    'alter index search_words_trigrams reset (fastupdate)',
  ]),
};
