import { AppError } from '@uprez/contracts/errors/app-error';
import type { ArticleStatus } from '@uprez/contracts/policy/articles';
import { findMediaId, mediaPath } from '@uprez/contracts/policy/images/media';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { Post, PostInput } from '@uprez/contracts/schemas/content/posts';
import type { Tx } from '@uprez/db/database';
import { type ArticleRow, type ArticleWithDraft, insertArticle } from '@uprez/db/queries/content/articles';
import { listArticleCategories, listKnownCategories } from '@uprez/db/queries/content/categories';
import { countArticles, type FoundArticle, listFullArticles } from '@uprez/db/queries/content/list-articles';
import { isInFuture } from '@uprez/db/queries/usage/allowances';
import type { LibraryFiles } from '@uprez/markup/describe-problem';
import { uuidv7 } from 'uuidv7';
import { type Administrator, lockAdmin } from '../admin/administrator.ts';
import type { Needs } from '../context.ts';
import { type IdPageQuery, parseUuid, readIdPage } from '../read-id-pages.ts';
import type { TablePage } from '../read-table.ts';
import { unpublish } from './articles/publish-article.ts';
import { changeArticle, getFoundArticle, requireArticle } from './store/change-article.ts';
import { requireImage, withFiles } from './store/files-of-texts.ts';
import { publishOrSchedule, type Timing } from './store/publish-or-schedule.ts';
import { findFreeSlug, requireFreeSlug } from './store/slugs.ts';
import { requireCategories, writeDraft } from './store/write-draft.ts';
import { articleFieldsOf, publicFieldsOf } from './text/article-fields.ts';
import { checkFiles, type RenderedText, renderText } from './text/render-text.ts';

/** Returns a page of posts with their texts, including drafts, newest first. Throws `invalid_parameter`. */
export async function listPosts({ db }: Needs<'db'>, page: IdPageQuery): Promise<TablePage<Post>> {
  const kind = 'post';
  const found = await readIdPage<FoundArticle>(
    { list: 'posts', parseId: parseUuid, ...page },
    { list: (part) => listFullArticles(db, { kind, ...part }), count: () => countArticles(db, { kind }) },
  );
  return { ...found, rows: found.rows.map(presentPost) };
}

/** Contains the text of the draft. */
const presentPost = (found: FoundArticle): Post => ({
  id: found.id,
  title: found.title,
  content: found.contentMd,
  excerpt: found.excerpt,
  status: found.status,
  slug: found.slug,
  author: found.author && { firstName: found.author.firstName, email: found.author.email },
  categoryNames: found.categories.map(({ name }) => name),
  categoryIds: found.categories.map(({ id }) => id),
  publishedAt: (found.publishAt ?? found.publishedAt)?.toISOString() ?? null,
  seo: found.seo,
  featuredImage: found.featuredMediaId === null ? '' : mediaPath(found.featuredMediaId),
});

type Writing = { admin: Administrator; post: PostInput };

/**
 * Creates a post. Throws `markup_invalid`, `slug_taken`, `category_not_found`, and `invalid_parameter` if the time is
 * invalid.
 */
export async function createPost(ctx: Needs<'db'>, { admin, post }: Writing): Promise<Post> {
  const { status = 'draft' } = post;
  return withFiles(ctx, post.content, async ({ files, keep }) => {
    const rendered = await renderOrCheck(post.content, files, status);
    return ctx.db.transaction().execute(async (tx) => {
      await lockAdmin(tx, admin);
      const held = await insertArticle(tx, { id: uuidv7(), kind: 'post', authorId: admin.accountId });
      await keep(tx);
      await writePost(tx, { admin, held, post, status, rendered, isNew: true });
      return presentPost(await getFoundArticle(tx, held.article.id));
    });
  });
}

/**
 * Replaces a post, even if it has changed since the client read it. Omitted fields keep their public values, or their
 * draft values if the post is a draft. Throws `article_not_found` and the errors of `createPost`.
 */
export async function updatePost(ctx: Needs<'db'>, { admin, id, post }: Writing & { id: string }): Promise<Post> {
  const { article } = await requireArticle(ctx, { id, kind: 'post' });
  const { status = article.status } = post;
  return withFiles(ctx, post.content, async ({ files, keep }) => {
    const rendered = await renderOrCheck(post.content, files, status);
    const found = await changeArticle(ctx, { admin, id, kind: 'post' }, async (tx, held) => {
      await keep(tx);
      await writePost(tx, { admin, held, post, status, rendered });
    });
    return presentPost(found);
  });
}

/** For drafts, only checks that all files are in the media library. */
async function renderOrCheck(
  text: string,
  files: LibraryFiles,
  status: ArticleStatus,
): Promise<RenderedText | undefined> {
  if (status !== 'draft') return renderText(text, files);
  await checkFiles(text, files);
  return undefined;
}

/** `rendered`: undefined if the post will be a draft. `isNew`: whether this request created the post. */
type PostWrite = {
  admin: Administrator;
  held: ArticleWithDraft;
  post: PostInput;
  status: ArticleStatus;
  rendered: RenderedText | undefined;
  isNew?: boolean;
};

async function writePost(tx: Tx, { admin, held, post, status, rendered, isNew = false }: PostWrite): Promise<void> {
  const { article } = held;
  const timing = rendered && (await toTiming(tx, { article, post, status }));
  const fields = await mergeFields(tx, held, post);
  if (rendered && timing) {
    const draft = { ...held.draft, ...fields, contentMd: fields.content };
    await writeDraft(tx, { held, fields, admin });
    await publishOrSchedule(tx, { admin, held: { article, draft }, rendered, timing, reason: 'api' });
    return;
  }
  await writeDraft(tx, { held, fields, reason: 'api', admin, action: isNew ? 'article.create' : 'article.edit' });
  await unpublish(tx, { admin, held, fields });
}

/**
 * Omitted fields keep their public values instead of the draft's, because an editor's unfinished changes must not
 * become public.
 */
async function mergeFields(tx: Tx, { article, draft }: ArticleWithDraft, post: PostInput): Promise<ArticleFields> {
  const kept =
    article.status === 'draft'
      ? articleFieldsOf(draft)
      : publicFieldsOf(article, await listArticleCategories(tx, article.id));
  const { title, content, excerpt = kept.excerpt, seo = kept.seo } = post;
  if (post.slug && post.slug !== kept.slug) await requireFreeSlug(tx, article, post.slug);
  const slug = post.slug || kept.slug || article.slug || (await findFreeSlug(tx, article, title));
  const categoryIds = post.categoryIds
    ? await requireCategories(tx, article.kind, post.categoryIds)
    : await listKnownCategories(tx, article.kind, kept.categoryIds);
  return {
    title,
    content,
    excerpt,
    seo,
    slug,
    categoryIds,
    featured: kept.featured,
    featuredMediaId:
      post.featuredImage === undefined
        ? kept.featuredMediaId
        : await requireImage(tx, findMediaId(post.featuredImage) ?? null, 'featuredImage'),
  };
}

type PlannedPost = { article: ArticleRow; post: PostInput; status: ArticleStatus };

async function toTiming(tx: Tx, { article, post, status }: PlannedPost): Promise<Timing> {
  const given = post.publishedAt === undefined ? undefined : new Date(post.publishedAt);
  const isFuture = given !== undefined && (await isInFuture(tx, given));
  if (status === 'published') {
    if (isFuture) throw wrongTime('Choose a time in the past, or the status "scheduled".');
    return { publishedAt: given };
  }
  if (article.status === 'published') throw wrong('status', "A public post can't be scheduled. Make it a draft first.");
  const publishAt = given ?? article.publishAt;
  if (!publishAt) throw wrongTime('Scheduled posts need "publishedAt": the time at which the post becomes public.');
  if (!(await isInFuture(tx, publishAt))) throw wrongTime('Choose a time in the future, or the status "published".');
  return { publishAt };
}

const wrong = (param: string, detail: string) => new AppError('invalid_parameter', { param, detail });
const wrongTime = (detail: string) => wrong('publishedAt', detail);
