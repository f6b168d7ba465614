import type { Post, PostInput } from '@uprez/contracts/schemas/content/posts';
import { insertArticle } from '@uprez/db/queries/content/articles';
import { uuidv7 } from 'uuidv7';
import { type Administrator, lockAdmin } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { changeArticle, getFound, requireArticle } from '../store/change-article.ts';
import { renderText } from '../text/render-text.ts';
import { presentPost } from './list-posts.ts';
import { writePost } from './write-post.ts';

type Writing = { admin: Administrator; post: PostInput };

/** Creates a post. Throws `markup_invalid`, `slug_taken`, `category_not_found`, and `invalid_parameter` for a wrong time. */
export async function createPost({ db }: Needs<'db'>, { admin, post }: Writing): Promise<Post> {
  const { status = 'draft' } = post;
  const rendered = status === 'draft' ? undefined : await renderText(post.content);
  return db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const held = await insertArticle(tx, { id: uuidv7(), kind: 'post', authorId: admin.accountId });
    await writePost(tx, { admin, held, post, status, rendered });
    return presentPost(await getFound(tx, held.article.id));
  });
}

/**
 * Replaces a post, whoever changed it since it was read. What the post leaves out stays as it is public. Throws `article_not_found` and the
 * errors of `createPost`.
 */
export async function updatePost(ctx: Needs<'db'>, { admin, id, post }: Writing & { id: string }): Promise<Post> {
  const { article } = await requireArticle(ctx, { id, kind: 'post' });
  const { status = article.status } = post;
  const rendered = status === 'draft' ? undefined : await renderText(post.content);
  const found = await changeArticle(ctx, { admin, id, kind: 'post' }, (tx, held) =>
    writePost(tx, { admin, held, post, status, rendered }),
  );
  return presentPost(found);
}
