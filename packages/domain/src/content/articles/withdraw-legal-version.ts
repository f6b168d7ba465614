import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { type ArticleWithDraft, updateArticle, updateDraft } from '@uprez/db/queries/content/articles';
import { findLegalText, listLegalVersions, withdrawVersion } from '@uprez/db/queries/content/legal-versions';
import { lockAdmin } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { auditArticle } from '../store/audit-article.ts';
import { type ArticleChange, changeArticle } from '../store/change-article.ts';
import { replaceMediaUses } from '../store/files-of-texts.ts';
import { type ArticleView, presentArticle } from '../store/present-article.ts';
import { areSame, articleColumnsOf, articleFieldsOf } from '../text/article-fields.ts';

type Withdrawal = Required<Pick<ArticleChange, 'admin' | 'id' | 'seen'>> & {
  /** The version number as sent by the client. */
  number: string;
};

/**
 * Withdraws the newest version of a legal text before it takes effect. Publishes the previous version again and keeps
 * the draft. Throws `revision_not_found` if the version isn't the newest, `article_fixed` if it is in force or the only
 * version, and the errors of `changeArticle`.
 */
export const withdrawLegalVersion = async (ctx: Needs<'db'>, { number, ...change }: Withdrawal): Promise<ArticleView> =>
  presentArticle(
    await changeArticle(ctx, { ...change, kind: 'legal' }, async (tx, held) => {
      const { admin } = change;
      await lockAdmin(tx, { ...admin, permission: 'legal.publish' });
      const { article } = held;
      const [newest, previous] = await listLegalVersions(tx, article.slug ?? '');
      if (!newest || String(newest.number) !== number) throw new AppError('revision_not_found');
      if (newest.isEffective || !previous) throw new AppError('article_fixed', { detail: inForceMessage });
      await withdrawVersion(tx, article.id, newest.number);
      await restorePreviousVersion(tx, held, previous.number);
      const withdrawn = { version: newest.number, effectiveOn: newest.effectiveAt.toISOString().slice(0, 10) };
      await auditArticle(tx, { admin, action: 'article.withdraw', before: article, after: {}, legal: withdrawn });
    }),
  );

const inForceMessage = 'This version applies already. Publish a new one instead.';

async function restorePreviousVersion(tx: Tx, { article, draft }: ArticleWithDraft, number: number): Promise<void> {
  const text = await findLegalText(tx, article.slug ?? '', number);
  if (!text) throw new AppError('revision_not_found');
  const fields = { ...text.fields, featuredMediaId: text.fields.featuredMediaId ?? null, slug: article.slug ?? '' };
  const { categoryIds: _, ...columns } = articleColumnsOf(fields);
  await updateArticle(tx, article.id, { ...columns, html: text.html, revisedAt: text.publishedAt });
  const written = articleFieldsOf(draft);
  await updateDraft(tx, article.id, { hasChanges: !areSame(written, fields) });
  await replaceMediaUses(tx, article.id, [written, fields]);
}
