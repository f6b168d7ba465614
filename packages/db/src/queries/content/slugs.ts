import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';

/** `articleId`: the article to ignore, which may have the slug. */
type Wanted = { kind: ArticleKind; slug: string; articleId?: string | undefined };

/**
 * Lists the slugs of other articles of a kind, public or in drafts, that equal a slug or that slug with a number.
 * Former slugs aren't taken.
 */
export async function listTakenSlugs(db: DbOrTx, { kind, slug, articleId = '' }: Wanted): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select used.slug from articles
    join article_drafts draft on draft.article_id = articles.id
    cross join lateral (values (articles.slug), (draft.slug)) used (slug)
    where articles.kind = ${kind} and articles.deleted_at is null and articles.id::text <> ${articleId}
      and (used.slug = ${slug} or used.slug ~ ('^' || ${slug} || '-[0-9]+$'))`.execute(db);
  return rows.map((row) => row.slug);
}

/** Whether another article of a kind has a slug, publicly or in its draft. */
export async function isSlugTaken(db: DbOrTx, { kind, slug, articleId = '' }: Wanted): Promise<boolean> {
  const { rows } = await sql<{ isTaken: boolean }>`
    select exists (
      select from articles join article_drafts draft on draft.article_id = articles.id
      where articles.kind = ${kind} and articles.deleted_at is null and articles.id::text <> ${articleId}
        and (articles.slug = ${slug} or draft.slug = ${slug})
    ) as "isTaken"`.execute(db);
  return rows[0]?.isTaken ?? false;
}

/** Redirects a public slug to an article, even after the article gets another slug. */
export async function keepSlug(tx: Tx, row: { kind: ArticleKind; slug: string; articleId: string }): Promise<void> {
  await tx
    .insertInto('slugRedirects')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'slug']).doUpdateSet({ articleId: row.articleId }))
    .execute();
}
