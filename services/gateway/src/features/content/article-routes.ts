import { articleLimits } from '@uprez/contracts/policy/articles';
import type { Article, ArticleRow } from '@uprez/contracts/schemas/content/articles';
import { pathOfArticle } from '@uprez/contracts/texts/site/article-path';
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
import { makeSlugOf } from '@uprez/domain/content/text/make-slug';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { absoluteUrl, linkNext } from '../../http/public-links.ts';
import { type ExportColumns, sendExport } from '../admin/send-export.ts';
import type { ApiAdapter } from '../api-adapter.ts';

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

const present = ({ config }: Deps, article: ArticleView): Article => ({ ...article, url: urlOf(config, article) });

/** Articles and their drafts. */
export function registerArticleRoutes({ route }: ApiAdapter, deps: Deps): void {
  const adminOf = (request: FastifyRequest) => requireAdmin(deps, request);
  route('adminListArticles', async (request, reply) => {
    const { rows, ...page } = await listArticles(deps, request.query);
    linkNext(reply, { path: '/api/admin/articles', query: request.query, ...page });
    return rows;
  });
  route('adminExportArticles', async (request, reply) => {
    const pages = await exportArticles(deps, request.query);
    return sendExport(reply, { name: 'articles', columns: articleColumns, pages, query: request.query });
  });
  route('adminCreateArticle', async (request, reply) => {
    const article = await createArticle(deps, { admin: await adminOf(request), ...request.body });
    return reply.status(201).send(present(deps, article));
  });
  route('adminGetArticle', async (request) => present(deps, await getArticle(deps, request.params.id)));
  route(
    'adminSaveDraft',
    async (request) => saveDraft(deps, { admin: await adminOf(request), id: request.params.id, ...request.body }),
    { bodyLimit: articleLimits.bodyBytes },
  );
  route('adminDeleteArticle', async (request, reply) => {
    await deleteArticle(deps, { admin: await adminOf(request), id: request.params.id });
    return reply.status(204).send(null);
  });
  route('adminRestoreArticle', async (request) =>
    present(deps, await restoreArticle(deps, { admin: await adminOf(request), id: request.params.id })),
  );
}

/** What is public of an article, and its earlier texts. */
export function registerPublishingRoutes({ route }: ApiAdapter, deps: Deps): void {
  const adminOf = (request: FastifyRequest) => requireAdmin(deps, request);
  const changeOf = async (request: FastifyRequest, id: string, seen: number) => ({
    admin: await adminOf(request),
    id,
    seen,
  });
  route('adminDiscardDraft', async (request) => {
    const { params, body } = request;
    return present(deps, await discardDraft(deps, await changeOf(request, params.id, body.version)));
  });
  route('adminPublishArticle', async (request) => {
    const { version, publishAt, ...legal } = request.body;
    const change = await changeOf(request, request.params.id, version);
    const article = await publishArticle(deps, { ...change, publishAt, legal });
    if (article.kind === 'legal') deps.terms.forget();
    return present(deps, article);
  });
  route('adminWithdrawLegalVersion', async (request) => {
    const { id, number } = request.params;
    const change = await changeOf(request, id, request.body.version);
    const article = await withdrawLegalVersion(deps, { ...change, number });
    deps.terms.forget();
    return present(deps, article);
  });
  route('adminUnpublishArticle', async (request) => {
    const { params, body } = request;
    return present(deps, await unpublishArticle(deps, await changeOf(request, params.id, body.version)));
  });
  route('adminListRevisions', async (request, reply) => {
    const { id } = request.params;
    const { rows, ...page } = await listRevisions(deps, { id, ...request.query });
    linkNext(reply, { path: `/api/admin/articles/${id}/revisions`, query: request.query, ...page });
    return rows;
  });
  route('adminGetRevision', async (request) => getRevision(deps, request.params));
  route('adminRestoreRevision', async (request) => {
    const { id, number } = request.params;
    const change = await changeOf(request, id, request.body.version);
    return present(deps, await restoreRevision(deps, { ...change, number }));
  });
  route('adminCreatePreview', async (request, reply) => {
    const { token, expiresAt } = await createPreviewLink(deps, {
      admin: await adminOf(request),
      id: request.params.id,
    });
    return reply.status(201).send({ url: absoluteUrl(deps.config, previewPath(token)), expiresAt });
  });
}

/** The URL of an article once its draft is public. */
const urlOf = (
  config: Pick<Config, 'PUBLIC_URL'>,
  { kind, slug, title }: Pick<Article, 'kind' | 'slug' | 'title'>,
): string => absoluteUrl(config, pathOfArticle(kind, slug || makeSlugOf({ title, kind })));
