import type { AdminJobDetails } from '@uprez/contracts/schemas/admin-jobs';
import { jobMessages } from './job-messages.ts';

const text = jobMessages.blocked;

/** Why a failed job can't be retried; undefined if it can. */
export function findRetryBlock({ kind, account, retriedBy, storedSource }: AdminJobDetails): string | undefined {
  if (kind !== 'image' || account === null) return text.kind;
  if (retriedBy !== null) return text.retried;
  return storedSource === null ? text.source : undefined;
}
