import { type ArticleSort, defaultSortOf } from '@uprez/contracts/policy/articles';
import type { ArticleRow } from '@uprez/contracts/schemas/content/articles';
import {
  type ArticleFilter,
  countArticles,
  type ListedArticle,
  listArticles as listRows,
} from '@uprez/db/queries/content/list-articles';
import type { Needs } from '../../context.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../../read-table.ts';
import { getFoundArticle } from '../store/change-article.ts';
import { type ArticleView, presentArticle, presentArticleRow } from '../store/present-article.ts';

const tableOf = ({ db }: Needs<'db'>, filter: ArticleFilter) => ({
  list: (page: Omit<Parameters<typeof listRows>[1], keyof ArticleFilter>): Promise<ListedArticle[]> =>
    listRows(db, { ...filter, ...page }),
  count: () => countArticles(db, filter),
});

/** Returns a page of the articles of a kind. Throws `invalid_parameter`. */
export async function listArticles(
  ctx: Needs<'db'>,
  { sort: asked, cursor, limit, ...filter }: ArticleFilter & TableQuery<ArticleSort>,
): Promise<TablePage<ArticleRow>> {
  const sort = asked ?? defaultSortOf(filter.kind);
  const isText = sort.endsWith('title');
  const page = await readPage({ list: 'articles', sort, isText, cursor, limit }, tableOf(ctx, filter));
  return { ...page, rows: page.rows.map(presentArticleRow) };
}

/** Returns the articles that match a filter, in chunks for an export. Throws `export_too_large`. */
export async function exportArticles(
  ctx: Needs<'db'>,
  { sort, ...filter }: ArticleFilter & { sort?: ArticleSort | undefined },
): Promise<AsyncIterable<ArticleRow[]>> {
  const pages = await readAll(sort ?? defaultSortOf(filter.kind), tableOf(ctx, filter));
  return (async function* presented() {
    for await (const rows of pages) yield rows.map(presentArticleRow);
  })();
}

/** Returns an article with its draft. Throws `article_not_found`. */
export const getArticle = async ({ db }: Needs<'db'>, id: string): Promise<ArticleView> =>
  presentArticle(await getFoundArticle(db, id));
