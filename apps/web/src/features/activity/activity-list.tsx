import { jobStatuses } from '@uprez/contracts/policy/job-status';
import { formatCount } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { useDashboard } from '../../lib/api/queries.ts';
import { useNow } from '../../lib/browser/use-now.ts';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { EmptyState, NoActivityArt } from '../../ui/feedback/empty-state.tsx';
import { MoreButton, QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { ActivityCard, cardId } from './activity-card.tsx';
import { ActivityDialogs, type JobDialog } from './activity-dialogs.tsx';
import { activityMessages as text } from './messages.ts';
import { type ActivityPages, useActivity, useLiveActivity } from './use-activity.ts';

const countdownMs = 30_000;
const grid = 'grid gap-3 sm:grid-cols-2 xl:grid-cols-3';
const choices = ['all', ...jobStatuses] as const;
const options = choices.map((value) => ({ value, label: value === 'all' ? text.all : text.statuses[value] }));

const useActivityFilter = () => useSearchParam({ name: 'status', choices, fallback: 'all' });

export function ActivityFilter() {
  const [choice, choose] = useActivityFilter();
  return (
    <div className="w-44">
      <Select label={text.filter} labelHidden value={choice} onChange={choose} options={options} />
    </div>
  );
}

function ActivitySkeleton() {
  return (
    <div className={grid}>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} className="h-24 rounded-card sm:h-60" />
      ))}
    </div>
  );
}

/** If the button that opened the dialog was removed, the focus goes to the card of the job. */
const returnTo = (id: string) =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById(id)?.focus({ preventScroll: true });
  });

function ActivityGrid({ data }: { data: ActivityPages }) {
  const now = useNow(countdownMs);
  const [question, setQuestion] = useState<JobDialog>();
  const close = () => {
    setQuestion(undefined);
    if (question) returnTo(cardId(question.job));
  };
  const jobs = data.pages.flatMap((page) => page.jobs);
  const total = Math.max(data.pages[0]?.total ?? 0, jobs.length);
  return (
    <>
      <ul aria-label={text.list} className={grid}>
        {jobs.map((job) => (
          <ActivityCard key={job.id} job={job} now={now} onAsk={setQuestion} />
        ))}
      </ul>
      <p className="text-center text-muted text-xs tabular-nums">
        {text.shown(formatCount(jobs.length), formatCount(total))}
      </p>
      {question && <ActivityDialogs question={question} onDone={close} />}
    </>
  );
}

export function ActivityList({ onProcess }: { onProcess: () => void }) {
  const [choice, choose] = useActivityFilter();
  const status = choice === 'all' ? undefined : choice;
  const query = useActivity(status);
  useLiveActivity(status, useDashboard().data?.recentActivity);
  const [emptyText, label, act] = status
    ? ([text.noMatch, text.clear, () => choose('all')] as const)
    : ([text.empty, text.process, onProcess] as const);
  const action = (
    <Button look="secondary" onClick={act}>
      {label}
    </Button>
  );
  return (
    <div className="grid gap-4">
      <QueryView
        query={query}
        skeleton={<ActivitySkeleton />}
        isEmpty={({ pages }) => pages.every(({ jobs }) => jobs.length === 0)}
        empty={<EmptyState {...emptyText} action={action} illustration={<NoActivityArt />} />}
      >
        {(data) => (
          <>
            <ActivityGrid data={data} />
            <MoreButton query={query} />
          </>
        )}
      </QueryView>
    </div>
  );
}
