import type { ArticleStatus } from '@uprez/contracts/policy/articles';
import type { Post, PostInput } from '@uprez/contracts/schemas/content/posts';
import { insertArticle } from '@uprez/db/queries/content/articles';
import type { LibraryFiles } from '@uprez/markup/library-files';
import { uuidv7 } from 'uuidv7';
import { type Administrator, lockAdmin } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { changeArticle, getFound, requireArticle } from '../store/change-article.ts';
import { withFiles } from '../store/files-of-texts.ts';
import { checkFiles, type RenderedText, renderText } from '../text/render-text.ts';
import { presentPost } from './list-posts.ts';
import { writePost } from './write-post.ts';

type Writing = { admin: Administrator; post: PostInput };

/** Creates a post. Throws `markup_invalid`, `slug_taken`, `category_not_found`, and `invalid_parameter` for a wrong time. */
export async function createPost(ctx: Needs<'db'>, { admin, post }: Writing): Promise<Post> {
  const { status = 'draft' } = post;
  return withFiles(ctx, post.content, async ({ files, keep }) => {
    const rendered = await renderOrCheck(post.content, files, status);
    return ctx.db.transaction().execute(async (tx) => {
      await lockAdmin(tx, admin);
      const held = await insertArticle(tx, { id: uuidv7(), kind: 'post', authorId: admin.accountId });
      await keep(tx);
      await writePost(tx, { admin, held, post, status, rendered, isNew: true });
      return presentPost(await getFound(tx, held.article.id));
    });
  });
}

/**
 * Replaces a post, whoever changed it since it was read. What the post leaves out stays as it is public. Throws `article_not_found` and the
 * errors of `createPost`.
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

/** Renders a text that is or becomes public. Drafts must only have files of the media library. */
async function renderOrCheck(
  text: string,
  files: LibraryFiles,
  status: ArticleStatus,
): Promise<RenderedText | undefined> {
  if (status !== 'draft') return renderText(text, files);
  await checkFiles(text, files);
  return undefined;
}
