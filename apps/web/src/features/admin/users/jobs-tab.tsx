import { routeUrl } from '@uprez/client/route-url';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type JobStatus, jobStatuses } from '@uprez/contracts/policy/job-status';
import { type ColumnOf, tableColumns, userJobSorts } from '@uprez/contracts/policy/tables';
import type { AdminUserJob } from '@uprez/contracts/schemas/admin-user-details';
import type { ComponentProps } from 'react';
import { Link, useNavigate } from 'react-router';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { adminApi } from '../admin-api.ts';
import { jobPath, jobsOf } from '../jobs/links.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { useTable } from '../table/use-table.ts';
import { userMessages } from './messages.ts';
import { RejectedImages } from './rejected-images.tsx';

const text = userMessages.jobs;

const kinds: Record<JobStatus, ComponentProps<typeof Badge>['kind']> = {
  queued: 'warning',
  processing: 'warning',
  completed: 'success',
  failed: 'danger',
  cancelled: 'neutral',
  expired: 'neutral',
};

/** The code of an error, and what its user read. */
const ErrorCell = ({ error }: Pick<AdminUserJob, 'error'>) =>
  error && (
    <span className="grid">
      <code className="text-xs">{error.code}</code>
      <span className="text-muted text-xs">{error.message}</span>
    </span>
  );

const columns: Column<AdminUserJob, ColumnOf<'userJobs'>>[] = [
  {
    id: 'file',
    name: text.file,
    cell: ({ filename, id }) => (
      <span className="grid">
        <Link to={jobPath(id)} className="font-medium hover:underline">
          {filename}
        </Link>
        <code className="text-muted text-xs">{id}</code>
      </span>
    ),
  },
  {
    id: 'status',
    name: text.status,
    cell: ({ status }) => <Badge kind={kinds[status]}>{adminMessages.table.statuses[status]}</Badge>,
  },
  { id: 'engine', name: text.engine, cell: ({ engine, surface }) => `${engine}, ${text.surfaces[surface]}` },
  { id: 'error', name: text.error, cell: (job) => <ErrorCell error={job.error} /> },
  { id: 'charged', name: text.charged, cell: ({ credits }) => text.credits(credits), isNumeric: true },
  { id: 'created', name: text.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

/** The jobs of a user, without their images. */
export function JobsTab({ userId }: { userId: string }) {
  const navigate = useNavigate();
  const params = { id: userId };
  const table = useTable({
    list: { ...adminRoutes.adminListUserJobs, path: routeUrl(adminRoutes.adminListUserJobs, { params }) },
    load: (request) => adminApi.adminListUserJobs({ params, ...request }),
    filters: { status: jobStatuses },
    sorts: userJobSorts,
    columns: tableColumns.userJobs,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <DataTable
        caption={text.caption}
        search={text.search}
        table={table}
        columns={columns}
        empty={text.empty}
        filters={
          <Link to={jobsOf({ account: userId })} className={buttonStyle({ look: 'secondary' })}>
            {text.all}
          </Link>
        }
        onOpen={({ id }) => void navigate(jobPath(id))}
      />
      <RejectedImages userId={userId} />
    </div>
  );
}
