import { engineNames } from '@uprez/contracts/policy/engines';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { jobTiers } from '@uprez/contracts/policy/tables';
import type { JobOverview } from '@uprez/contracts/schemas/admin-jobs';
import { formatCount } from '@uprez/contracts/texts/format';
import { formatDuration } from '../../../lib/format/format.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { FactGrid } from '../../../ui/layout/fact-grid.tsx';
import { adminMessages } from '../messages.ts';
import { type CountGroup, CountsTable } from './counts-table.tsx';
import { jobsMessages } from './messages.ts';
import { RowsLink } from './rows-link.tsx';

const { overview: text, counts: countTexts } = jobsMessages;

type Counts = JobOverview['counts'];

/** The counts of all jobs, and of each engine. */
const byEngine = (counts: Counts): CountGroup[] => [
  { filter: {}, counts },
  ...engineNames.map((engine) => ({
    name: engine,
    filter: { engine },
    counts: counts.filter((one) => one.engine === engine),
  })),
];

/** The counts of each plan, and of visitors. */
const byPlan = (counts: Counts): CountGroup[] =>
  jobTiers.map((tier) => ({
    name: tier === 'visitor' ? adminMessages.table.visitors : currentPlans[tier].name,
    filter: { tier },
    counts: counts.filter((one) => (one.tier ?? 'visitor') === tier),
  }));

/** What waits and runs, each number with a link to its rows. */
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
        <CountsTable caption={countTexts.byEngine} column={countTexts.engine} groups={byEngine(counts)} />
        <CountsTable caption={countTexts.byPlan} column={countTexts.plan} groups={byPlan(counts)} />
      </div>
    </Card>
  );
}
