import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { useResourceMutation } from '../../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { adminApi } from '../../admin-api.ts';
import { blogMessages as text } from '../messages.ts';
import { articlesKey, categoriesKey } from '../queries.ts';

/** Query keys that a change to an article affects: the lists of administrators, and the public pages. */
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
