import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { insertArticle } from '@uprez/db/queries/content/articles';
import { uuidv7 } from 'uuidv7';
import { type Administrator, lockAdmin } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { auditArticle } from '../store/audit-article.ts';
import { getFound } from '../store/change-article.ts';
import { type ArticleView, presentArticle } from '../store/present-article.ts';

/** Creates an article with an empty draft. */
export const createArticle = (
  { db }: Needs<'db'>,
  { admin, kind }: { admin: Administrator; kind: ArticleKind },
): Promise<ArticleView> =>
  db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const { article } = await insertArticle(tx, { id: uuidv7(), kind, authorId: admin.accountId });
    await auditArticle(tx, { admin, action: 'article.create', before: article, after: {} });
    return presentArticle(await getFound(tx, article.id));
  });
