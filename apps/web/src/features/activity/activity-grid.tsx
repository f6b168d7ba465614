import { formatCount } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { useNow } from '../../lib/browser/use-now.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ActivityCard, cardId } from './activity-card.tsx';
import { ActivityDialogs, type JobDialog } from './activity-dialogs.tsx';
import type { ActivityPages } from './activity-pages.ts';
import { activityMessages as text } from './messages.ts';

const countdownMs = 30_000;
const grid = 'grid gap-3 sm:grid-cols-2 xl:grid-cols-3';

export function ActivitySkeleton() {
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

export function ActivityGrid({ data }: { data: ActivityPages }) {
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
      <ActivityDialogs question={question} onDone={close} />
    </>
  );
}
