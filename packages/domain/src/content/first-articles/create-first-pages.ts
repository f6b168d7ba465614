import type { Tx } from '@uprez/db/database';
import { insertCategory } from '@uprez/db/queries/content/categories';
import { uuidv7 } from 'uuidv7';
import { createFirstArticle } from './create-first-article.ts';
import { firstHelp, firstPositions } from './first-help.ts';
import { firstPages } from './first-pages.ts';

/** Creates the pages at fixed URLs, once per installation. Editors may change them. */
export async function createFirstPages(tx: Tx): Promise<void> {
  for (const page of firstPages) await createFirstArticle(tx, page);
}

/**
 * Creates the help center and drafts of positions, once per installation. Positions are public when an administrator publishes
 * them.
 */
export async function createFirstHelp(tx: Tx): Promise<void> {
  const kinds = [
    { kind: 'help', groups: firstHelp, isDraft: false },
    { kind: 'position', groups: firstPositions, isDraft: true },
  ] as const;
  for (const { kind, groups, isDraft } of kinds)
    for (const { slug, name, articles } of groups) {
      const { id } = await insertCategory(tx, { id: uuidv7(), kind, slug, name });
      for (const article of articles) await createFirstArticle(tx, { ...article, kind, isDraft, categoryIds: [id] });
    }
}
