import type { AuditAction } from '@uprez/contracts/texts/admin/audit-actions';
import type { Tx } from '@uprez/db/database';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import type { ArticleRow } from '@uprez/db/queries/content/articles';
import { type Administrator, toAuditFields } from '../../admin/administrator.ts';

type Facts = Pick<ArticleRow, 'title' | 'slug' | 'status' | 'publishAt'>;
type Change = {
  admin: Administrator;
  action: Extract<AuditAction, `article.${string}`>;
  before: ArticleRow;
  /** The changed fields. */
  after: Partial<Facts>;
  /** The revision that now has the text of the draft. */
  revision?: number | undefined;
  isDeleted?: { before: boolean; after: boolean };
  /** The version of a legal text that is added or withdrawn. */
  legal?: { version: number; effectiveOn: string | null; mustAccept?: boolean } | undefined;
};

/**
 * Adds an entry to the audit log with the article's title, slug, status, and publication time. Texts are in the
 * revisions.
 */
export async function auditArticle(
  tx: Tx,
  { admin, action, before, after, isDeleted, revision, legal }: Change,
): Promise<void> {
  const subject = `article:${before.id}`;
  await insertAudit(tx, {
    ...{ ...toAuditFields(admin), action, subject },
    before: { ...toFields(before), ...(isDeleted && { deleted: isDeleted.before }) },
    after: {
      ...toFields({ ...before, ...after }),
      ...(isDeleted && { deleted: isDeleted.after }),
      ...legal,
      ...(revision && { revision }),
    },
  });
}

const toFields = ({ title, slug, status, publishAt }: Facts) => ({
  title,
  slug,
  status,
  publishAt: publishAt?.toISOString() ?? null,
});
