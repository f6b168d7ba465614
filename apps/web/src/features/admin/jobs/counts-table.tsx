import { isFinal, type JobStatus, jobStatuses } from '@uprez/contracts/policy/job-status';
import { adminMessages } from '../messages.ts';
import type { JobFilter } from './links.ts';
import { jobsMessages } from './messages.ts';
import { RowsLink } from './rows-link.tsx';

const text = jobsMessages.counts;

type Count = { status: JobStatus; count: number };
/** Jobs with something in common. `name`: undefined for all jobs. */
export type CountGroup = { name?: string; filter: JobFilter; counts: readonly Count[] };

const sum = (counts: readonly Count[], status: JobStatus) =>
  counts.reduce((total, one) => total + (one.status === status ? one.count : 0), 0);

/** The filter of the jobs that a number counts: finished ones only of the last 24 hours. */
const filterOf = (filter: JobFilter, status: JobStatus): JobFilter => ({
  ...filter,
  status,
  ...(isFinal(status) && { view: 'finished_today' }),
});

type CountsTableProps = { caption: string; column: string; groups: readonly CountGroup[] };

const scrollStyle = 'scroll-hint overflow-x-auto [--hint-ground:var(--surface)]';

/** Numbers of jobs by status, each with a link to its rows. */
export function CountsTable({ caption, column, groups }: CountsTableProps) {
  return (
    // Scrollable with the keyboard on small screens.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus.
    <section aria-label={text.scroll(caption)} tabIndex={0} className={scrollStyle}>
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line border-b text-muted text-xs">
            <th scope="col" className="py-1.5 pr-2 text-left font-normal">
              {column}
            </th>
            {jobStatuses.map((status) => (
              <th key={status} scope="col" className="px-2 py-1.5 text-right font-normal">
                {adminMessages.table.statuses[status]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {groups.map(({ name, filter, counts }) => (
            <tr key={name ?? text.all}>
              <th scope="row" className="py-1.5 pr-2 text-left font-normal whitespace-nowrap">
                {name ?? text.all}
              </th>
              {jobStatuses.map((status) => (
                <td key={status} className="px-2 py-1.5 text-right">
                  <RowsLink
                    count={sum(counts, status)}
                    filter={filterOf(filter, status)}
                    jobs={text.jobs(adminMessages.table.statuses[status], name)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
