import { AppError } from '@uprez/contracts/errors/app-error';
import { articleLimits } from '@uprez/contracts/policy/articles';
import { storePreview } from '@uprez/db/queries/content/articles';
import { findPreview, insertPreviewLink } from '@uprez/db/queries/content/preview-links';
import { lockAdmin } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { hashLinkToken, makeLinkToken } from '../../mails/account-token.ts';
import { presentImage } from '../public/public-posts.ts';
import { auditArticle } from '../store/audit-article.ts';
import { type ArticleChange, requireArticle } from '../store/change-article.ts';
import { withFiles } from '../store/files-of-texts.ts';
import { type RenderedText, renderText } from '../text/render-text.ts';

/**
 * Creates a link that shows the draft for `articleLimits.previewDays` days. Stores only the hash of the link's token.
 * Throws `markup_invalid` and the errors of `requireArticle` and `lockAdmin`.
 */
export async function createPreviewLink(
  ctx: Needs<'db'>,
  { admin, id }: Pick<ArticleChange, 'admin' | 'id'>,
): Promise<{ token: string; expiresAt: string }> {
  const { article, draft } = await requireArticle(ctx, { id });
  await renderDraft(ctx, { ...draft, ...article, contentMd: draft.contentMd });
  const token = makeLinkToken();
  const link = { tokenHash: hashLinkToken(token), articleId: article.id, lifeS: articleLimits.previewDays * 86_400 };
  const expiresAt = await ctx.db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    await auditArticle(tx, { admin, action: 'article.preview', before: article, after: {} });
    return insertPreviewLink(tx, link);
  });
  return { token, expiresAt: expiresAt.toISOString() };
}

/**
 * Returns the current draft for a preview link. Throws `article_not_found` if the link is unknown or has expired or the
 * article is deleted, and `markup_invalid` if the draft can't be rendered.
 */
export async function getPreview(ctx: Needs<'db'>, token: string) {
  const found = await findPreview(ctx.db, hashLinkToken(token));
  if (!found) throw new AppError('article_not_found');
  const { title, excerpt, expiresAt } = found;
  return {
    title,
    excerpt,
    ...(await renderDraft(ctx, found)),
    image: presentImage(found.image),
    expiresAt: expiresAt.toISOString(),
  };
}

type Draft = {
  id: string;
  version: number;
  contentMd: string;
  previewVersion: number | null;
  previewHtml: string | null;
  previewMinutes: number | null;
};

const pendingRenders = new Map<string, Promise<RenderedText>>();

/** Renders each version of a draft only once, even if several readers open the link at the same time. */
async function renderDraft(ctx: Needs<'db'>, draft: Draft): Promise<RenderedText> {
  const { id, version, previewVersion, previewHtml: html, previewMinutes: readingMinutes } = draft;
  if (previewVersion === version && html !== null && readingMinutes !== null) return { html, readingMinutes };
  const key = `${id}:${version}`;
  const running = pendingRenders.get(key) ?? renderAndStore(ctx, draft).finally(() => pendingRenders.delete(key));
  pendingRenders.set(key, running);
  return running;
}

const renderAndStore = (ctx: Needs<'db'>, { id, version, contentMd }: Draft): Promise<RenderedText> =>
  withFiles(ctx, contentMd, async ({ files, keep }) => {
    const rendered = await renderText(contentMd, files);
    await ctx.db.transaction().execute(async (tx) => {
      await keep(tx);
      await storePreview(tx, { id, version, html: rendered.html, minutes: rendered.readingMinutes });
    });
    return rendered;
  });
