import { type ArticleSort, articleSorts, defaultSortOf } from '@uprez/contracts/policy/articles';
import type { ArticleRow } from '@uprez/contracts/schemas/content/articles';
import { type ArticleFilter, countArticles, listArticles as listRows } from '@uprez/db/queries/content/list-articles';
import type { Needs } from '../../context.ts';
import { defineTable, type TablePage, type TableQuery } from '../../read-table.ts';
import { getFoundArticle } from '../store/change-article.ts';
import { type ArticleView, presentArticle, presentArticleRow } from '../store/present-article.ts';

const articles = defineTable({
  name: 'articles',
  sorts: articleSorts,
  isText: (sort) => sort.endsWith('title'),
  list: listRows,
  count: countArticles,
  present: (rows) => rows.map(presentArticleRow),
});

type ArticleQuery = ArticleFilter & TableQuery<ArticleSort>;

const withDefaultSort = (query: ArticleQuery): ArticleQuery => ({
  ...query,
  sort: query.sort ?? defaultSortOf(query.kind),
});

/** Returns a page of the articles of a kind. Throws `invalid_parameter`. */
export const listArticles = (ctx: Needs<'db'>, query: ArticleQuery): Promise<TablePage<ArticleRow>> =>
  articles.page(ctx, withDefaultSort(query));

/** Returns the articles that match a filter, in chunks for an export. Throws `export_too_large`. */
export const exportArticles = (ctx: Needs<'db'>, query: ArticleQuery): Promise<AsyncIterable<ArticleRow[]>> =>
  articles.export(ctx, withDefaultSort(query));

/** Returns an article with its draft. Throws `article_not_found`. */
export const getArticle = async ({ db }: Needs<'db'>, id: string): Promise<ArticleView> =>
  presentArticle(await getFoundArticle(db, id));
