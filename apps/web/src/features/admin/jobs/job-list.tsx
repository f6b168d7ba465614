import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { engineNames } from '@uprez/contracts/policy/engines';
import { jobStatuses } from '@uprez/contracts/policy/job-status';
import { type ColumnOf, jobSorts, jobSurfaces, jobTiers, jobViews, tableColumns } from '@uprez/contracts/policy/tables';
import type { AdminJob } from '@uprez/contracts/schemas/admin-jobs';
import { Filter } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { useTable } from '../table/use-table.ts';
import { AttemptsCell, JobCell, OwnerLink, StateCell } from './cells.tsx';
import { JobFilters } from './job-filters.tsx';
import { jobPath, listAnchor } from './links.ts';
import { jobsMessages } from './messages.ts';

const text = jobsMessages.list;

const columns: Column<AdminJob, ColumnOf<'jobs'>>[] = [
  { id: 'job', name: text.job, cell: (job) => <JobCell job={job} /> },
  { id: 'account', name: text.account, cell: ({ account }) => <OwnerLink account={account} /> },
  { id: 'status', name: text.status, cell: (job) => <StateCell job={job} /> },
  { id: 'engine', name: text.engine, cell: ({ engine, surface }) => `${engine}, ${text.surfaces[surface]}` },
  { id: 'attempts', name: text.attempts, cell: (job) => <AttemptsCell job={job} />, isNumeric: true },
  { id: 'created', name: text.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
  {
    id: 'finished',
    name: text.finished,
    cell: ({ finishedAt }) =>
      finishedAt ? <TimeCell at={finishedAt} /> : <span className="text-muted text-xs">{text.unfinished}</span>,
  },
];

const useJobTable = () =>
  useTable({
    list: adminRoutes.adminListJobs,
    // The server rejects unknown codes.
    load: ({ query: { error, ...query }, ...request }) =>
      adminApi.adminListJobs({ ...request, query: { ...query, error: error as ErrorCode | undefined } }),
    filters: { view: jobViews, status: jobStatuses, engine: engineNames, tier: jobTiers, surface: jobSurfaces },
    values: ['error', 'account', 'from', 'to'],
    sorts: jobSorts,
    columns: tableColumns.jobs,
    exports: adminRoutes.adminExportJobs,
  });

/** The jobs of all accounts. Its heading takes the focus when a number leads to the rows. */
export function JobList() {
  const table = useJobTable();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const { hash, key } = useLocation();
  // `key` changes when the same link is followed again.
  useEffect(() => {
    if (hash !== `#${listAnchor}`) return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, [hash, key]);
  const menuOf = ({ filename, account, errorCode }: AdminJob) => {
    const items = [
      account && { label: text.onlyAccount, icon: Filter, onSelect: () => table.setValues({ account: account.id }) },
      errorCode && { label: text.onlyError, icon: Filter, onSelect: () => table.setValues({ error: errorCode }) },
    ].filter((item) => item !== null && item !== '');
    return items.length > 0 && <ActionsMenu label={adminMessages.table.actions(filename)} items={items} />;
  };
  return (
    <section aria-labelledby={listAnchor} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id={listAnchor} ref={heading} tabIndex={-1} className="text-base outline-none">
        {text.title}
      </h2>
      <DataTable
        caption={text.caption}
        search={text.search}
        table={table}
        filters={<JobFilters table={table} />}
        columns={columns}
        empty={text.empty}
        actions={menuOf}
        onOpen={({ id }) => void navigate(jobPath(id))}
      />
    </section>
  );
}
