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
import { requireAdmin, requireAdminAndId } from '../../http/authenticate.ts';
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

export const articleHandlers = (deps: Deps) =>
  defineHandlers({
    adminListArticles: async (request, reply) => rowsOfPage(reply, await listArticles(deps, request.query)),
    adminExportArticles: async (request, reply) => {
      const pages = await exportArticles(deps, request.query);
      return sendExport(reply, { name: 'articles', columns: articleColumns, pages, query: request.query });
    },
    adminCreateArticle: async (request, reply) => {
      const article = await createArticle(deps, { admin: await requireAdmin(deps, request), ...request.body });
      return reply.status(201).send(presentArticle(deps, article));
    },
    adminGetArticle: async (request) => presentArticle(deps, await getArticle(deps, request.params.id)),
    adminSaveDraft: {
      handler: async (request) => saveDraft(deps, { ...(await requireAdminAndId(deps, request)), ...request.body }),
      bodyLimit: articleLimits.bodyBytes,
    },
    adminDeleteArticle: async (request, reply) => {
      await deleteArticle(deps, await requireAdminAndId(deps, request));
      return reply.status(204).send(null);
    },
    adminRestoreArticle: async (request) =>
      presentArticle(deps, await restoreArticle(deps, await requireAdminAndId(deps, request))),
  });

type VersionRequest = FastifyRequest & { params: { id: string }; body: { version: number } };

export const publishingHandlers = (deps: Deps) => {
  const changeOf = async (request: VersionRequest) => ({
    ...(await requireAdminAndId(deps, request)),
    seen: request.body.version,
  });
  return defineHandlers({
    adminDiscardDraft: async (request) => presentArticle(deps, await discardDraft(deps, await changeOf(request))),
    adminPublishArticle: async (request) => {
      const { version: _, publishAt, ...legal } = request.body;
      const article = await publishArticle(deps, { ...(await changeOf(request)), publishAt, legal });
      if (article.kind === 'legal') deps.terms.forget();
      return presentArticle(deps, article);
    },
    adminWithdrawLegalVersion: async (request) => {
      const change = { ...(await changeOf(request)), number: request.params.number };
      const article = await withdrawLegalVersion(deps, change);
      deps.terms.forget();
      return presentArticle(deps, article);
    },
    adminUnpublishArticle: async (request) =>
      presentArticle(deps, await unpublishArticle(deps, await changeOf(request))),
    adminListRevisions: async (request, reply) => {
      const { id } = request.params;
      return rowsOfPage(reply, await listRevisions(deps, { id, ...request.query }));
    },
    adminGetRevision: async (request) => getRevision(deps, request.params),
    adminRestoreRevision: async (request) => {
      const change = { ...(await changeOf(request)), number: request.params.number };
      return presentArticle(deps, await restoreRevision(deps, change));
    },
    adminCreatePreview: async (request, reply) => {
      const { token, expiresAt } = await createPreviewLink(deps, await requireAdminAndId(deps, request));
      return reply.status(201).send({ url: absoluteUrl(deps.config, previewPath(token)), expiresAt });
    },
  });
};

/** Returns the URL that an article has once its draft is public. */
const urlOf = (
  config: Pick<Config, 'PUBLIC_URL'>,
  { kind, slug, title }: Pick<Article, 'kind' | 'slug' | 'title'>,
): string => absoluteUrl(config, pathOfArticle(kind, slug || makeArticleSlug({ title, kind })));
