import { articleLimits, pathOfArticle } from '@uprez/contracts/policy/articles';
import type { Article, ArticleRow } from '@uprez/contracts/schemas/content/articles';
import { previewPath } from '@uprez/contracts/texts/site/pages';
import { createArticle } from '@uprez/domain/content/articles/create-article';
import { deleteArticle, restoreArticle } from '@uprez/domain/content/articles/delete-article';
import { exportArticles, getArticle, listArticles } from '@uprez/domain/content/articles/list-articles';
import { createPreviewLink } from '@uprez/domain/content/articles/previews';
import { publishArticle, unpublishArticle } from '@uprez/domain/content/articles/publish-article';
import { getRevision, listRevisions, restoreRevision } from '@uprez/domain/content/articles/revisions';
import { discardDraft, saveDraft } from '@uprez/domain/content/articles/save-draft';
import { withdrawLegalVersion } from '@uprez/domain/content/articles/withdraw-legal-version';
import type { ArticleView } from '@uprez/domain/content/store/present-article';
import { makeArticleSlug } from '@uprez/domain/content/text/make-slug';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { absoluteUrl, rowsOfPage } from '../../http/public-links.ts';
import { type ExportColumns, sendExport } from '../admin/send-export.ts';

const articleColumns: ExportColumns<'articles', ArticleRow> = {
  title: {
    article: ({ id }) => id,
    title: ({ title }) => title,
    slug: ({ slug }) => slug,
    featured: ({ featured }) => (featured ? 'yes' : 'no'),
  },
  status: { status: ({ status }) => status, has_changes: ({ hasChanges }) => (hasChanges ? 'yes' : 'no') },
  author: {
    author: ({ author }) => author?.firstName ?? null,
    author_email: ({ author }) => author?.email ?? null,
  },
  categories: { categories: ({ categories }) => categories.map(({ name }) => name).join(', ') || null },
  published: { scheduled_for: ({ publishAt }) => publishAt, published: ({ publishedAt }) => publishedAt },
  updated: { updated: ({ updatedAt }) => updatedAt, deleted: ({ deletedAt }) => deletedAt },
};

const presentArticle = ({ config }: Deps, article: ArticleView): Article => ({
  ...article,
  url: urlOf(config, article),
});

export const articleHandlers = (deps: Deps) => {
  const adminOf = (request: FastifyRequest) => requireAdmin(deps, request);
  return defineHandlers({
    adminListArticles: async (request, reply) => rowsOfPage(reply, await listArticles(deps, request.query)),
    adminExportArticles: async (request, reply) => {
      const pages = await exportArticles(deps, request.query);
      return sendExport(reply, { name: 'articles', columns: articleColumns, pages, query: request.query });
    },
    adminCreateArticle: async (request, reply) => {
      const article = await createArticle(deps, { admin: await adminOf(request), ...request.body });
      return reply.status(201).send(presentArticle(deps, article));
    },
    adminGetArticle: async (request) => presentArticle(deps, await getArticle(deps, request.params.id)),
    adminSaveDraft: {
      handler: async (request) =>
        saveDraft(deps, { admin: await adminOf(request), id: request.params.id, ...request.body }),
      bodyLimit: articleLimits.bodyBytes,
    },
    adminDeleteArticle: async (request, reply) => {
      await deleteArticle(deps, { admin: await adminOf(request), id: request.params.id });
      return reply.status(204).send(null);
    },
    adminRestoreArticle: async (request) =>
      presentArticle(deps, await restoreArticle(deps, { admin: await adminOf(request), id: request.params.id })),
  });
};

export const publishingHandlers = (deps: Deps) => {
  const adminOf = (request: FastifyRequest) => requireAdmin(deps, request);
  const changeOf = async (request: FastifyRequest, id: string, seen: number) => ({
    admin: await adminOf(request),
    id,
    seen,
  });
  return defineHandlers({
    adminDiscardDraft: async (request) => {
      const { params, body } = request;
      return presentArticle(deps, await discardDraft(deps, await changeOf(request, params.id, body.version)));
    },
    adminPublishArticle: async (request) => {
      const { version, publishAt, ...legal } = request.body;
      const change = await changeOf(request, request.params.id, version);
      const article = await publishArticle(deps, { ...change, publishAt, legal });
      if (article.kind === 'legal') deps.terms.forget();
      return presentArticle(deps, article);
    },
    adminWithdrawLegalVersion: async (request) => {
      const { id, number } = request.params;
      const change = await changeOf(request, id, request.body.version);
      const article = await withdrawLegalVersion(deps, { ...change, number });
      deps.terms.forget();
      return presentArticle(deps, article);
    },
    adminUnpublishArticle: async (request) => {
      const { params, body } = request;
      return presentArticle(deps, await unpublishArticle(deps, await changeOf(request, params.id, body.version)));
    },
    adminListRevisions: async (request, reply) => {
      const { id } = request.params;
      return rowsOfPage(reply, await listRevisions(deps, { id, ...request.query }));
    },
    adminGetRevision: async (request) => getRevision(deps, request.params),
    adminRestoreRevision: async (request) => {
      const { id, number } = request.params;
      const change = await changeOf(request, id, request.body.version);
      return presentArticle(deps, await restoreRevision(deps, { ...change, number }));
    },
    adminCreatePreview: async (request, reply) => {
      const { token, expiresAt } = await createPreviewLink(deps, {
        admin: await adminOf(request),
        id: request.params.id,
      });
      return reply.status(201).send({ url: absoluteUrl(deps.config, previewPath(token)), expiresAt });
    },
  });
};

/** Returns the URL that an article has once its draft is public. */
const urlOf = (
  config: Pick<Config, 'PUBLIC_URL'>,
  { kind, slug, title }: Pick<Article, 'kind' | 'slug' | 'title'>,
): string => absoluteUrl(config, pathOfArticle(kind, slug || makeArticleSlug({ title, kind })));
