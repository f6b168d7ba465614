import type { AdminJobDetails } from '@uprez/contracts/schemas/admin/jobs';
import { jobMessages } from './job-messages.ts';

const text = jobMessages.blocked;

type Failed = Pick<
  AdminJobDetails,
  'kind' | 'account' | 'retriedBy' | 'sourceMoved' | 'storedSource' | 'accountSuspended'
>;

/** Returns why a failed job can't be retried, or undefined if it can. `ownId`: the account ID of the administrator. */
export function findRetryBlock(job: Failed, ownId: string | undefined): string | undefined {
  const { kind, account, retriedBy, sourceMoved, storedSource, accountSuspended } = job;
  if (kind !== 'image' || account === null) return text.kind;
  if (account.id === ownId) return text.own;
  if (retriedBy !== null) return text.retried;
  if (sourceMoved) return text.retriedByUser;
  if (storedSource === null) return text.source;
  return accountSuspended ? text.suspended : undefined;
}
