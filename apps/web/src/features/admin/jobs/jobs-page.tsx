import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { uploadErrors } from '@uprez/contracts/errors/error-groups';
import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import { isCustomEngine, type JobEngine } from '@uprez/contracts/policy/images/engines';
import type { AdminJob } from '@uprez/contracts/schemas/admin/jobs';
import { Filter } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { Select } from '../../../ui/controls/select.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import { ChosenFilters } from '../table/chosen-filters.tsx';
import { DataTable } from '../table/data-table.tsx';
import { allChoices, type Column, type Table, useTable } from '../table/use-table.ts';
import { AttemptsCell, JobCell, OwnerLink, StateCell } from './cells.tsx';
import { jobPath, listAnchor } from './links.ts';
import { jobsMessages as text } from './messages.ts';
import { QueueOverview } from './queue-overview.tsx';

export function JobsPage() {
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <QueueOverview />
      <JobList />
    </AdminPage>
  );
}

const listText = text.list;

const columns: Column<AdminJob, ColumnOf<'jobs'>>[] = [
  { id: 'job', name: listText.job, cell: (job) => <JobCell job={job} /> },
  { id: 'account', name: listText.account, cell: ({ account }) => <OwnerLink account={account} /> },
  { id: 'status', name: listText.status, cell: (job) => <StateCell job={job} /> },
  { id: 'engine', name: listText.engine, cell: ({ engine, surface }) => `${engine}, ${listText.surfaces[surface]}` },
  { id: 'attempts', name: listText.attempts, cell: (job) => <AttemptsCell job={job} />, isNumeric: true },
  { id: 'created', name: listText.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
  {
    id: 'finished',
    name: listText.finished,
    cell: ({ finishedAt }) =>
      finishedAt ? <TimeCell at={finishedAt} /> : <span className="text-muted text-xs">{listText.unfinished}</span>,
  },
];

function useJobTable() {
  const { filters } = tables.jobs;
  const [params] = useSearchParams();
  const engine = params.get('engine') ?? '';
  // Links may name a custom engine.
  const engines: readonly JobEngine[] = isCustomEngine(engine) ? [...filters.engine, engine] : filters.engine;
  const declaration = { ...tables.jobs, filters: { ...filters, engine: engines } };
  return useTable(declaration, {
    // The URL may contain any string. The server rejects unknown error codes.
    load: ({ query: { error, ...query }, ...request }) =>
      adminApi.adminListJobs({ ...request, query: { ...query, error: error as ErrorCode | undefined } }),
    values: ['error', 'account', 'from', 'to'],
  });
}

/** Scrolls to the heading and focuses it when the user follows a link to the list, such as a count in a report. */
function JobList() {
  const table = useJobTable();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const { hash, key } = useLocation();
  // Depends on `key`, which changes when the user follows the same link again.
  useEffect(() => {
    if (hash !== `#${listAnchor}`) return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, [hash, key]);
  const menuOf = ({ filename, account, errorCode }: AdminJob) => {
    const items = [
      account && {
        label: listText.onlyAccount,
        icon: Filter,
        onSelect: () => table.setValues({ account: account.id }),
      },
      errorCode && { label: listText.onlyError, icon: Filter, onSelect: () => table.setValues({ error: errorCode }) },
    ].filter((item) => item !== null && item !== '');
    return items.length > 0 && <ActionsMenu label={adminMessages.table.actions(filename)} items={items} />;
  };
  return (
    <section aria-labelledby={listAnchor} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id={listAnchor} ref={heading} tabIndex={-1} className="text-base outline-none">
        {listText.title}
      </h2>
      <DataTable
        text={listText}
        table={table}
        filters={<JobFilters table={table} />}
        columns={columns}
        actions={menuOf}
        onOpen={({ id }) => void navigate(jobPath(id))}
      />
    </section>
  );
}

/**
 * Filters jobs by error, by the days on which they finished, and by the account that was chosen in a row or by a link.
 */
function JobFilters({ table: { values, setValues, query } }: { table: Table<AdminJob> }) {
  const { error, account } = values;
  const row = query.data?.pages[0]?.rows[0]?.account;
  const label = account && listText.accountFilter(row?.id === account ? (row.name ?? row.email) : account);
  const codes = new Set<string>(error ? [...uploadErrors, error] : uploadErrors);
  return (
    <>
      <div className="w-52 max-sm:min-w-32 max-sm:flex-1">
        <Select
          label={listText.error}
          labelHidden
          value={error ?? allChoices}
          onChange={(code) => setValues({ error: code === allChoices ? undefined : code })}
          options={[
            { value: allChoices, label: listText.allErrors },
            ...[...codes].toSorted().map((code) => ({ value: code, label: code })),
          ]}
        />
      </div>
      <ChosenFilters table={{ values, setValues }} chosen={[{ name: 'account', label }]} days={listText.days} />
    </>
  );
}
