import { AppError } from '@uprez/contracts/errors/app-error';
import type { ArticleStatus } from '@uprez/contracts/policy/articles';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { PostInput } from '@uprez/contracts/schemas/content/posts';
import { mediaIdOf } from '@uprez/contracts/texts/media';
import type { Tx } from '@uprez/db/database';
import type { ArticleRow, ArticleWithDraft } from '@uprez/db/queries/content/articles';
import { listArticleCategories, listKnownCategories } from '@uprez/db/queries/content/categories';
import { isToCome } from '@uprez/db/queries/usage/allowances';
import type { Administrator } from '../../admin/administrator.ts';
import { requireImage } from '../store/files-of-texts.ts';
import { putPublic, type Timing } from '../store/put-public.ts';
import { requireCategories } from '../store/require-categories.ts';
import { findFreeSlug, requireFreeSlug } from '../store/slugs.ts';
import { unpublish } from '../store/unpublish.ts';
import { writeDraft } from '../store/write-draft.ts';
import { articleFieldsOf, publicFieldsOf } from '../text/article-fields.ts';
import type { RenderedText } from '../text/render-text.ts';

/** `rendered`: of a post that isn't a draft afterward. `isNew`: whether the post was created for it. */
type Writing = {
  admin: Administrator;
  held: ArticleWithDraft;
  post: PostInput;
  status: ArticleStatus;
  rendered: RenderedText | undefined;
  isNew?: boolean;
};

/** Writes a post, and makes its text public as its status says. What the post leaves out stays. */
export async function writePost(
  tx: Tx,
  { admin, held, post, status, rendered, isNew = false }: Writing,
): Promise<void> {
  const { article } = held;
  const timing = rendered && (await toTiming(tx, { article, post, status }));
  const fields = await mergeFields(tx, held, post);
  if (rendered && timing) {
    const draft = { ...held.draft, ...fields, contentMd: fields.content };
    await writeDraft(tx, { held, fields, admin });
    await putPublic(tx, { admin, held: { article, draft }, rendered, timing, reason: 'api' });
    return;
  }
  await writeDraft(tx, { held, fields, reason: 'api', admin, action: isNew ? 'article.create' : 'article.edit' });
  await unpublish(tx, { admin, held, fields });
}

/** What the post leaves out keeps its public value: an editor's unfinished changes must not become public with the post. */
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
        : await requireImage(tx, mediaIdOf(post.featuredImage) ?? null, 'featuredImage'),
  };
}

type Planned = { article: ArticleRow; post: PostInput; status: ArticleStatus };

/** When the post becomes public. Throws `invalid_parameter`. */
async function toTiming(tx: Tx, { article, post, status }: Planned): Promise<Timing> {
  const given = post.publishedAt === undefined ? undefined : new Date(post.publishedAt);
  const isFuture = given !== undefined && (await isToCome(tx, given));
  if (status === 'published') {
    if (isFuture) throw wrongTime('Choose a time in the past, or the status "scheduled".');
    return { publishedAt: given };
  }
  if (article.status === 'published') throw wrong('status', "A public post can't be scheduled. Make it a draft first.");
  const publishAt = given ?? article.publishAt;
  if (!publishAt) throw wrongTime('Scheduled posts need "publishedAt": the time at which the post becomes public.');
  if (!(await isToCome(tx, publishAt))) throw wrongTime('Choose a time in the future, or the status "published".');
  return { publishAt };
}

const wrong = (param: string, detail: string) => new AppError('invalid_parameter', { param, detail });
const wrongTime = (detail: string) => wrong('publishedAt', detail);
