import { AppError } from '@uprez/contracts/errors/app-error';
import { articleLimits } from '@uprez/contracts/policy/articles';
import { deleteArticle } from '@uprez/domain/content/articles/delete-article';
import { getPreview } from '@uprez/domain/content/articles/previews';
import { createCategory, deleteCategory, listCategories, updateCategory } from '@uprez/domain/content/categories';
import { createPost, listPosts, updatePost } from '@uprez/domain/content/posts';
import { findPublicPost, listPublicPosts } from '@uprez/domain/content/public/public-posts';
import type { Deps } from '../../deps.ts';
import { requireAdmin, requireAdminAndId } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { lookUpSecret } from '../../http/request-callers.ts';

export const blogHandlers = (deps: Deps) =>
  defineHandlers({
    listPosts: async (request) => listPublicPosts(deps, request.query),
    getPost: async (request) => {
      const post = await findPublicPost(deps, request.params.slug);
      if (!post) throw new AppError('article_not_found');
      return post;
    },
    listCategories: async (request) => listCategories(deps, request.query.kind),
    getPreview: async (request, reply) => {
      // Prevents caching and indexing, because the URL contains a secret token.
      reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
      const { token } = request.params;
      return lookUpSecret(request, { sort: 'preview', secret: token, find: () => getPreview(deps, token) });
    },
  });

export const adminPostHandlers = (deps: Deps) =>
  defineHandlers({
    adminListPosts: async (request, reply) => rowsOfPage(reply, await listPosts(deps, request.query)),
    adminCreatePost: {
      handler: async (request, reply) => {
        const post = await createPost(deps, { admin: await requireAdmin(deps, request), post: request.body });
        return reply.status(201).send(post);
      },
      bodyLimit: articleLimits.bodyBytes,
    },
    adminUpdatePost: {
      handler: async (request) => updatePost(deps, { ...(await requireAdminAndId(deps, request)), post: request.body }),
      bodyLimit: articleLimits.bodyBytes,
    },
    adminDeletePost: async (request, reply) => {
      await deleteArticle(deps, { ...(await requireAdminAndId(deps, request)), kind: 'post' });
      return reply.status(204).send(null);
    },
  });

export const adminCategoryHandlers = (deps: Deps) =>
  defineHandlers({
    adminCreateCategory: async (request, reply) => {
      const admin = await requireAdmin(deps, request);
      return reply.status(201).send(await createCategory(deps, { admin, category: request.body }));
    },
    adminUpdateCategory: async (request) =>
      updateCategory(deps, { ...(await requireAdminAndId(deps, request)), changes: request.body }),
    adminDeleteCategory: async (request, reply) => {
      await deleteCategory(deps, await requireAdminAndId(deps, request));
      return reply.status(204).send(null);
    },
  });
