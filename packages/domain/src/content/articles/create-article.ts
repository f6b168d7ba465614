import { AppError } from '@uprez/contracts/errors/app-error';
import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { type ArticleRow, insertArticle, readArticle } from '@uprez/db/queries/content/articles';
import { uuidv7 } from 'uuidv7';
import { type Administrator, lockAdmin } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { auditArticle } from '../store/audit-article.ts';
import { getFoundArticle } from '../store/change-article.ts';
import { type ArticleView, presentArticle } from '../store/present-article.ts';

type NewArticle = { admin: Administrator; kind: ArticleKind; id?: string | undefined };

/**
 * Creates an article with an empty draft. If an article with the ID exists, returns that article, because the request
 * may have been repeated. Throws `article_not_found` if the existing article is deleted, has another kind, or belongs
 * to another author.
 */
export const createArticle = ({ db }: Needs<'db'>, { admin, kind, id = uuidv7() }: NewArticle): Promise<ArticleView> =>
  db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const existing = await readArticle(tx, id);
    if (existing) requireOwnArticle(existing.article, { admin, kind });
    else {
      const { article } = await insertArticle(tx, { id, kind, authorId: admin.accountId });
      await auditArticle(tx, { admin, action: 'article.create', before: article, after: {} });
    }
    return presentArticle(await getFoundArticle(tx, id));
  });

function requireOwnArticle(article: ArticleRow, { admin, kind }: Pick<NewArticle, 'admin' | 'kind'>): void {
  const isOwn = article.authorId === admin.accountId && article.kind === kind;
  if (!isOwn || article.deletedAt) throw new AppError('article_not_found');
}
