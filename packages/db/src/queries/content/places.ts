import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { sql } from 'kysely';
import type { Tx } from '../../database.ts';

/** `group`: the same for articles that lists show together. */
export type PlacedArticle = { id: string; group: string };

/** The articles of a kind in their order, locked until the transaction ends. */
export const lockPlaces = (tx: Tx, kind: ArticleKind): Promise<PlacedArticle[]> =>
  tx
    .selectFrom('articles')
    .innerJoin('articleDrafts as draft', 'draft.articleId', 'articles.id')
    .select(['articles.id', sql<string>`concat(draft.featured, ' ', draft.category_ids[1])`.as('group')])
    .where('articles.kind', '=', kind)
    .where('articles.deletedAt', 'is', null)
    .orderBy('articles.place')
    .orderBy('articles.id')
    .forUpdate('articles')
    .execute();

/** Numbers articles in an order. Their versions stay, as their texts do. */
export async function replacePlaces(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    update articles set place = wanted.place
    from unnest(${[...ids]}::uuid[]) with ordinality wanted (id, place)
    where articles.id = wanted.id and articles.place <> wanted.place`.execute(tx);
}
