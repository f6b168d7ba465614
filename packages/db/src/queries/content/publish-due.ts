import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';

/** Articles that one statement publishes at most. */
const batch = 100;

/**
 * Publishes scheduled articles whose time has come, with that time as the time of their publication. Their versions rise, so
 * that pages from before don't take them for scheduled. Several processes may call it at once: each article is published by one
 * of them. Returns their IDs.
 */
export async function publishDue(db: DbOrTx): Promise<string[]> {
  // Materialized: PostgreSQL may otherwise run the subquery again and lock more rows than its limit.
  const { rows } = await sql<{ id: string }>`
    with due as materialized (
      select id from articles
      where status = 'scheduled' and publish_at <= now() and deleted_at is null
      order by publish_at limit ${batch} for update skip locked
    ), published as (
      update articles set status = 'published', published_at = publish_at, revised_at = publish_at, publish_at = null,
        version = version + 1, updated_at = now()
      from due where articles.id = due.id
      returning articles.id, articles.kind, articles.slug
    ), kept as (
      insert into slug_redirects (kind, slug, article_id) select kind, slug, id from published
      on conflict (kind, slug) do update set article_id = excluded.article_id
    )
    select id from published`.execute(db);
  return rows.map(({ id }) => id);
}
