import { jobTiers } from '@uprez/contracts/policy/admin/tables';
import { engineNames, type JobEngine } from '@uprez/contracts/policy/images/engines';
import { isFinalStatus, type JobStatus, jobStatuses } from '@uprez/contracts/policy/job-status';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { JobOverview } from '@uprez/contracts/schemas/admin/jobs';
import { formatCount } from '@uprez/contracts/texts/format';
import { Link } from 'react-router';
import { formatDuration } from '../../../lib/format/format.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { FactGrid } from '../../../ui/layout/fact-grid.tsx';
import { adminMessages } from '../messages.ts';
import { type JobFilter, toJobsPath } from './links.ts';
import { jobsMessages } from './messages.ts';

const { overview: text, counts: countTexts } = jobsMessages;

export function OverviewCard({ overview }: { overview: JobOverview }) {
  const { counts, oldestWaitS, startsPerMinute, stuck, deadToday, workers } = overview;
  return (
    <Card title={text.title}>
      <FactGrid
        facts={[
          [text.oldestWait, oldestWaitS === null ? text.none : formatDuration(oldestWaitS * 1_000)],
          [
            text.starts,
            <RowsLink key="starts" count={startsPerMinute} filter={{ view: 'just_started' }} jobs={text.started} />,
          ],
          [text.stuck, <RowsLink key="stuck" count={stuck} filter={{ view: 'stuck' }} jobs={text.stuckJobs} />],
          [text.dead, <RowsLink key="dead" count={deadToday} filter={{ view: 'dead_today' }} jobs={text.deadJobs} />],
          [text.workers, formatCount(workers.filter(({ isLive }) => isLive).length)],
        ]}
      />
      <p className="text-muted text-sm">{countTexts.note}</p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <CountsTable caption={countTexts.byEngine} column={countTexts.engine} groups={groupByEngine(counts)} />
        <CountsTable caption={countTexts.byPlan} column={countTexts.plan} groups={groupByPlan(counts)} />
      </div>
    </Card>
  );
}

const countsText = jobsMessages.counts;

type Count = { status: JobStatus; count: number };

/** `name`: undefined for the group of all jobs. */
type CountGroup = { name?: string; filter: JobFilter; counts: readonly Count[] };

const sum = (counts: readonly Count[], status: JobStatus) =>
  counts.reduce((total, one) => total + (one.status === status ? one.count : 0), 0);

/** Counts of finished jobs cover only the last 24 hours. */
const filterOf = (filter: JobFilter, status: JobStatus): JobFilter => ({
  ...filter,
  status,
  ...(isFinalStatus(status) && { view: 'finished_today' }),
});

type CountsTableProps = { caption: string; column: string; groups: readonly CountGroup[] };

const scrollStyle = 'scroll-hint overflow-x-auto [--hint-ground:var(--surface)]';

function CountsTable({ caption, column, groups }: CountsTableProps) {
  return (
    // Scrollable with the keyboard on small screens.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus.
    <section aria-label={countsText.scroll(caption)} tabIndex={0} className={scrollStyle}>
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
            <tr key={name ?? countsText.all}>
              <th scope="row" className="py-1.5 pr-2 text-left font-normal whitespace-nowrap">
                {name ?? countsText.all}
              </th>
              {jobStatuses.map((status) => (
                <td key={status} className="px-2 py-1.5 text-right">
                  <RowsLink
                    count={sum(counts, status)}
                    filter={filterOf(filter, status)}
                    jobs={countsText.jobs(adminMessages.table.statuses[status], name)}
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

type Counts = JobOverview['counts'];

/** Custom engines follow the built-in ones. */
const groupByEngine = (counts: Counts): CountGroup[] => [
  { filter: {}, counts },
  ...[...new Set<JobEngine>([...engineNames, ...counts.map(({ engine }) => engine)])].map((engine) => ({
    name: engine,
    filter: { engine },
    counts: counts.filter((one) => one.engine === engine),
  })),
];

const groupByPlan = (counts: Counts): CountGroup[] =>
  jobTiers.map((tier) => ({
    name: tier === 'visitor' ? adminMessages.table.visitors : currentPlans[tier].name,
    filter: { tier },
    counts: counts.filter((one) => (one.tier ?? 'visitor') === tier),
  }));

type RowsLinkProps = { count: number; filter: JobFilter; jobs: string };

/** `jobs`: description of the jobs for screen readers. */
function RowsLink({ count, filter, jobs }: RowsLinkProps) {
  if (count === 0) return <span className="text-muted">{formatCount(count)}</span>;
  return (
    <Link
      to={toJobsPath(filter)}
      aria-label={jobsMessages.overview.show(count, jobs)}
      className="rounded-small underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {formatCount(count)}
    </Link>
  );
}
