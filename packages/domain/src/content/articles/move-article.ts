import { AppError } from '@uprez/contracts/errors/app-error';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { type ArticlePosition, lockPositions, replacePositions } from '@uprez/db/queries/content/articles';
import { toAuditFields } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { type ArticleChange, changeArticle } from '../store/change-article.ts';

type Move = Pick<ArticleChange, 'admin' | 'id'> & { direction: 'up' | 'down' };

/**
 * Moves an article up or down by one position, among the articles that lists show in the same group. Does nothing at
 * the end of the group. Throws the errors of `changeArticle`.
 */
export async function moveArticle(ctx: Needs<'db'>, { direction, ...change }: Move): Promise<void> {
  await changeArticle(ctx, change, async (tx, { article }) => {
    const placed = await lockPositions(tx, article.kind);
    const from = placed.findIndex(({ id }) => id === article.id);
    const own = placed[from];
    if (!own) throw new AppError('article_not_found');
    const isBeside = (other: ArticlePosition) => other.group === own.group;
    const to =
      direction === 'up'
        ? placed.slice(0, from).findLastIndex(isBeside)
        : placed.findIndex((other, index) => index > from && isBeside(other));
    if (to < 0) return;
    const others = placed.filter(({ id }) => id !== own.id);
    await replacePositions(
      tx,
      others.toSpliced(to, 0, own).map(({ id }) => id),
    );
    const about = { ...toAuditFields(change.admin), action: 'article.move', subject: `article:${own.id}` };
    await insertAudit(tx, { ...about, before: { place: from + 1 }, after: { place: to + 1 } });
  });
}
