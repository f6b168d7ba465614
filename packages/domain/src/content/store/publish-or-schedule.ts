import { AppError } from '@uprez/contracts/errors/app-error';
import type { RevisionReason } from '@uprez/contracts/policy/articles';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { Tx } from '@uprez/db/database';
import { isUniqueViolation } from '@uprez/db/database-errors';
import {
  type ArticleRow,
  type ArticleWithDraft,
  insertSlugRedirect,
  updateArticle,
  updateDraft,
} from '@uprez/db/queries/content/articles';
import { listKnownCategories, replaceArticleCategories } from '@uprez/db/queries/content/categories';
import { storeSearchText } from '@uprez/db/queries/content/help-search';
import { insertRevision } from '@uprez/db/queries/content/revisions';
import { isInFuture } from '@uprez/db/queries/usage/allowances';
import { now } from '@uprez/db/times';
import { type Administrator, lockAdmin } from '../../admin/administrator.ts';
import { articleColumnsOf, articleFieldsOf } from '../text/article-fields.ts';
import { toPlainText } from '../text/plain-text.ts';
import { type RenderedText, rendererVersion } from '../text/render-text.ts';
import { auditArticle } from './audit-article.ts';
import { replaceMediaUses } from './files-of-texts.ts';
import { addLegalVersion, type LegalOptions, requireLegalOptions } from './legal-version.ts';
import { findFreeSlug, makeSlugTakenError, requireFreeSlug } from './slugs.ts';

/** Throws `invalid_parameter` if the text has no title or content. */
export function requireComplete({ title, content }: Pick<ArticleFields, 'title' | 'content'>): void {
  if (title === '') throw new AppError('invalid_parameter', { param: 'title', detail: 'Title is required' });
  if (content.trim() === '')
    throw new AppError('invalid_parameter', { param: 'content', detail: 'Content is required' });
}

/** `publishAt`: time at which the text becomes public. With `publishedAt`, the text becomes public immediately. */
export type Timing = { publishAt: Date } | { publishedAt: Date | undefined };
type Publication = {
  admin: Administrator;
  held: ArticleWithDraft;
  rendered: RenderedText;
  timing: Timing;
  reason: RevisionReason;
  legal?: LegalOptions | undefined;
};

/**
 * Publishes or schedules an article's draft. Throws `slug_taken`, `invalid_parameter` if the time or an option for
 * legal texts is invalid, and `permission_missing` if the administrator may not publish legal texts.
 */
export async function publishOrSchedule(
  tx: Tx,
  { admin, held, rendered, timing, reason, legal }: Publication,
): Promise<void> {
  const { article } = held;
  if (article.kind === 'legal') await lockAdmin(tx, { ...admin, permission: 'legal.publish' });
  await requireLegalOptions(tx, article, legal);
  const columns = await toColumns(tx, article, timing);
  const { categoryIds: draftIds, ...draft } = articleFieldsOf(held.draft);
  // A category may have been deleted since the draft was read.
  const categoryIds = await listKnownCategories(tx, article.kind, draftIds);
  const fields = { ...draft, categoryIds, slug: await decideSlug(tx, held) };
  const revision = await storePublicText(tx, { article, fields, rendered, columns, reason, editorId: admin.accountId });
  const version = article.kind === 'legal' && (await addLegalVersion(tx, { article, revision, rendered, ...legal }));
  const action = columns.status === 'published' ? 'article.publish' : 'article.schedule';
  const { title, slug } = fields;
  await auditArticle(tx, {
    admin,
    action,
    before: article,
    after: { ...columns, title, slug },
    ...(version && { legal: version }),
  });
}

type PublicText = Pick<Publication, 'rendered' | 'reason'> & {
  article: ArticleRow;
  fields: ArticleFields;
  columns: Columns;
  /** Null for articles created during setup. */
  editorId: string | null;
};

/** Stores a public or scheduled text and adds a revision. Returns the revision's number. Throws `slug_taken`. */
export async function storePublicText(
  tx: Tx,
  { article: { id, kind }, fields, rendered, columns, reason, editorId }: PublicText,
): Promise<number> {
  const { categoryIds, ...text } = articleColumnsOf(fields);
  const after = { ...text, ...rendered, ...columns, rendererVersion, revisedAt: now };
  await updateArticle(tx, id, after).catch((error: unknown) => {
    throw isUniqueViolation(error) ? makeSlugTakenError() : error;
  });
  await replaceArticleCategories(tx, id, categoryIds);
  await replaceMediaUses(tx, id, [fields]);
  if (kind === 'help') await storeSearchText(tx, { ...fields, articleId: id, body: toPlainText(rendered.html) });
  if (columns.status === 'published') await insertSlugRedirect(tx, { kind, slug: fields.slug, articleId: id });
  await updateDraft(tx, id, { slug: fields.slug, hasChanges: false });
  return insertRevision(tx, { articleId: id, fields, reason, editorId });
}

/**
 * Returns the draft's slug, or else the article's current slug, or else a free slug made from the title. Throws
 * `slug_taken` if another article has the slug.
 */
async function decideSlug(tx: Tx, { article, draft }: ArticleWithDraft): Promise<string> {
  const slug = draft.slug || article.slug;
  if (!slug) return findFreeSlug(tx, article, draft.title);
  if (slug !== article.slug) await requireFreeSlug(tx, article, slug);
  return slug;
}

type Columns =
  | { status: 'scheduled'; publishAt: Date; publishedAt: null }
  | { status: 'published'; publishAt: null; publishedAt: Date | typeof now };

async function toColumns(tx: Tx, article: ArticleRow, timing: Timing): Promise<Columns> {
  if (!('publishAt' in timing))
    return { status: 'published', publishAt: null, publishedAt: timing.publishedAt ?? article.publishedAt ?? now };
  if (article.status === 'published')
    throw makeTimeError('This article is public already. Publish its changes now, or unpublish it first.');
  if (!(await isInFuture(tx, timing.publishAt)))
    throw makeTimeError('Choose a time in the future, or publish the article now.');
  return { status: 'scheduled', publishAt: timing.publishAt, publishedAt: null };
}

const makeTimeError = (detail: string) => new AppError('invalid_parameter', { param: 'publishAt', detail });
