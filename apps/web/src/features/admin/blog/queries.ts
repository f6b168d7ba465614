import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { type ArticleKind, creatableArticleKinds } from '@uprez/contracts/policy/articles';
import type { Category } from '@uprez/contracts/schemas/content/articles';
import { api } from '../../../lib/api/api.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { adminApi } from '../admin-api.ts';
import { blogMessages as text } from './messages.ts';

export const articlesKey = [adminRoutes.adminListArticles.path] as const;
const categoriesKey = [apiRoutes.listCategories.path] as const;

export type CategoryKind = (typeof creatableArticleKinds)[number];

export const hasCategories = (kind: ArticleKind): kind is CategoryKind =>
  creatableArticleKinds.some((one) => one === kind);

export const useCategories = (kind: ArticleKind = 'post') =>
  useQuery<Category[]>({
    queryKey: [...categoriesKey, kind],
    queryFn: async ({ signal }) =>
      hasCategories(kind) ? (await api.listCategories({ query: { kind }, signal })).data : [],
    refetchOnMount: 'always',
  });

/** Query keys that are invalidated when an article changes: admin lists and public pages. */
export const postKeys = [
  articlesKey,
  ...[
    apiRoutes.listPosts,
    apiRoutes.getHelpCenter,
    apiRoutes.getHelpArticle,
    apiRoutes.getSitePage,
    apiRoutes.listPositions,
  ].map(({ path }) => [path]),
  categoriesKey,
];

export const useRestorePost = (kind: ArticleKind = 'post') =>
  useResourceMutation({
    call: async (id: string) => (await adminApi.adminRestoreArticle({ params: { id } })).data,
    invalidates: postKeys,
    errorTitle: text.failure,
    onSuccess: () => showToast({ title: text.success, description: text.restored(kind) }),
  });
