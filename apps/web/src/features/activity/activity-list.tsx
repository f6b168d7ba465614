import type { Job } from '@uprez/contracts/schemas/job';
import { formatCount } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { useDashboard } from '../../lib/api/queries.ts';
import { useNow } from '../../lib/browser/use-now.ts';
import { isFocusLost } from '../../lib/layout/is-focus-lost.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState, NoActivityArt } from '../../ui/feedback/empty-state.tsx';
import { MoreButton, QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { ActivityCard, cardId } from './activity-card.tsx';
import { ActivityDialogs, type JobDialog } from './activity-dialogs.tsx';
import { useActivityFilter } from './activity-filter.tsx';
import { activityMessages as text } from './messages.ts';
import { type ActivityPages, useActivity, useLiveActivity } from './use-activity.ts';

const countdownMs = 30_000;
const grid = 'grid gap-3 sm:grid-cols-2 xl:grid-cols-3';

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
    if (isFocusLost()) document.getElementById(id)?.focus({ preventScroll: true });
  });

type GridProps = {
  data: ActivityPages;
  onAsk: (question: JobDialog) => void;
  /** Processes an image again with the settings of a job. */
  onRerun: (job: Job) => void;
};

function ActivityGrid({ data, ...actions }: GridProps) {
  const now = useNow(countdownMs);
  const jobs = data.pages.flatMap((page) => page.jobs);
  const total = Math.max(data.pages[0]?.total ?? 0, jobs.length);
  return (
    <>
      <ul aria-label={text.list} className={grid}>
        {jobs.map((job) => (
          <ActivityCard key={job.id} job={job} now={now} {...actions} />
        ))}
      </ul>
      <p className="text-center text-muted text-xs tabular-nums">
        {text.shown(formatCount(jobs.length), formatCount(total))}
      </p>
    </>
  );
}

type ActivityListProps = Pick<GridProps, 'onRerun'> & { onProcess: () => void };

export function ActivityList({ onProcess, onRerun }: ActivityListProps) {
  const { clear, ...filter } = useActivityFilter();
  const query = useActivity(filter);
  useLiveActivity(filter, useDashboard().data?.recentActivity);
  // Outside of the grid, because a deleted image may have been the last one of the list.
  const [question, setQuestion] = useState<JobDialog>();
  const close = () => {
    setQuestion(undefined);
    if (question) returnTo(cardId(question.job));
  };
  const isFiltered = filter.status !== undefined || filter.search !== '';
  const [emptyText, label, act] = isFiltered
    ? ([text.noMatch, text.clear, clear] as const)
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
            <ActivityGrid data={data} onAsk={setQuestion} onRerun={onRerun} />
            <MoreButton query={query} />
          </>
        )}
      </QueryView>
      {question && <ActivityDialogs question={question} onDone={close} />}
    </div>
  );
}
