import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { type ArticleKind, newArticleKinds } from '@uprez/contracts/policy/articles';
import type { Category } from '@uprez/contracts/schemas/content/categories';
import { api } from '../../../lib/api/api.ts';

/** Query key of all article lists. */
export const articlesKey = [adminRoutes.adminListArticles.path] as const;
export const categoriesKey = [apiRoutes.listCategories.path] as const;

export type CategoryKind = (typeof newArticleKinds)[number];

/** Whether articles of a kind have categories. */
export const hasCategories = (kind: ArticleKind): kind is CategoryKind => newArticleKinds.some((one) => one === kind);

/** Loads all categories of a kind, by default those of the blog. */
export const useCategories = (kind: ArticleKind = 'post') =>
  useQuery<Category[]>({
    queryKey: [...categoriesKey, kind],
    queryFn: async ({ signal }) =>
      hasCategories(kind) ? (await api.listCategories({ query: { kind }, signal })).data : [],
    refetchOnMount: 'always',
  });
