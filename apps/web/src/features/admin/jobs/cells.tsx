import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { AdminJob } from '@uprez/contracts/schemas/admin/jobs';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { userPath } from '../frame/admin-paths.ts';
import { adminMessages } from '../messages.ts';
import { jobPath } from './links.ts';
import { jobsMessages } from './messages.ts';

const text = jobsMessages.list;
export const linkStyle = 'rounded-small underline decoration-line underline-offset-4 hover:decoration-current';

const kinds: Record<JobStatus, ComponentProps<typeof Badge>['kind']> = {
  queued: 'warning',
  processing: 'warning',
  completed: 'success',
  failed: 'danger',
  cancelled: 'neutral',
  expired: 'neutral',
};

export const StateBadges = ({ status, isStuck, isPaused }: Pick<AdminJob, 'status' | 'isStuck' | 'isPaused'>) => (
  <span className="inline-flex flex-wrap gap-1">
    <Badge kind={kinds[status]}>{adminMessages.table.statuses[status]}</Badge>
    {isStuck && <Badge kind="danger">{text.stuck}</Badge>}
    {isPaused && <Badge kind="warning">{text.paused}</Badge>}
  </span>
);

export const JobCell = ({ job: { id, filename, kind } }: { job: AdminJob }) => (
  <span className="grid">
    <Link to={jobPath(id)} className="font-medium hover:underline">
      {filename}
    </Link>
    <code className="text-muted text-xs">{id}</code>
    {kind !== 'image' && <span className="text-muted text-xs">{text.kinds[kind]}</span>}
  </span>
);

/** Jobs without an account were started by visitors. */
export function OwnerLink({ account }: Pick<AdminJob, 'account'>) {
  if (!account) return <span className="text-muted">{text.visitor}</span>;
  const { id, name, email } = account;
  return (
    <span className="grid">
      <Link to={userPath(id)} className={linkStyle}>
        {name ?? email}
      </Link>
      {name && <span className="text-muted text-xs">{email}</span>}
    </span>
  );
}

export const StateCell = ({ job }: { job: AdminJob }) => (
  <span className="grid justify-items-end gap-1 sm:justify-items-start">
    <StateBadges {...job} />
    {job.errorCode && <code className="text-muted text-xs">{job.errorCode}</code>}
  </span>
);

export const AttemptsCell = ({ job: { attempt, failures } }: { job: AdminJob }) => (
  <span className="grid">
    {attempt}
    {failures > 0 && <span className="text-muted text-xs">{text.failed(failures)}</span>}
  </span>
);
