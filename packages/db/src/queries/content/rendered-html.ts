import type { DbOrTx, Tx } from '../../database.ts';

/**
 * Articles whose HTML is of another version of the renderer, also scheduled, unpublished, and deleted ones. Legal texts are left
 * out: what users accepted never changes.
 */
export async function listStaleArticles(db: DbOrTx, rendererVersion: number): Promise<string[]> {
  const rows = await db
    .selectFrom('articles')
    .select('id')
    .where('kind', '<>', 'legal')
    .where('html', 'is not', null)
    .where('rendererVersion', '<>', rendererVersion)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

type Rendered = { id: string; html: string; rendererVersion: number };

/** Replaces the HTML of an article. Its version and its times stay. */
export async function replaceHtml(tx: Tx, { id, ...rendered }: Rendered): Promise<void> {
  await tx.updateTable('articles').set(rendered).where('id', '=', id).execute();
}
