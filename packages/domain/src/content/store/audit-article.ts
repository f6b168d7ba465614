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
  after: Partial<Facts>;
  /** Number of the revision that stores the draft's new text. */
  revision?: number | undefined;
  isDeleted?: { before: boolean; after: boolean };
  legal?: { version: number; effectiveOn: string | null; mustAccept?: boolean } | undefined;
};

/**
 * Adds an audit log entry with the article's title, slug, status, and scheduled publication time. Omits the text,
 * because revisions store it.
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
