import { useQuery } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { isFinal } from '@uprez/contracts/policy/job-status';
import type { Job } from '@uprez/contracts/schemas/job';
import type { User } from '@uprez/contracts/schemas/user';
import { formatPercent } from '@uprez/contracts/texts/format';
import { mailPages } from '@uprez/contracts/texts/pages';
import { useEffect, useState } from 'react';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { isImageStored, untilImageIsLeft } from '../../../lib/images/image-store.ts';
import { messages } from '../../../messages.ts';
import { paths } from '../../../site-map.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { dismissLeftJob, forgetLeftJob, type LeftJob, listLeftJobs } from '../state/left-jobs.ts';
import { jobKey } from '../state/run-storage.ts';
import { openLeftJob } from './choose-image.ts';

const text = messages.processor.left;
const pollMs = 5_000;

/** What to say about a job that a closed tab left. Undefined: there is nothing to come back to. */
function describe({ filename, status, progress }: Job): string | undefined {
  if (status === 'queued') return text.queued(filename);
  if (status === 'processing') return text.processing(filename, formatPercent(progress));
  return status === 'completed' ? text.completed(filename) : undefined;
}

/** The jobs of this browser that no open tab shows, the newest first. */
function useLeftJobs() {
  const [left, setLeft] = useState<readonly LeftJob[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const jobs = listLeftJobs();
    const closed = new Set<LeftJob>();
    const add = (job: LeftJob) => {
      closed.add(job);
      setLeft(jobs.filter((one) => closed.has(one)));
    };
    for (const job of jobs)
      void untilImageIsLeft(job.imageKey, stop.signal)
        .then(() => isImageStored(job.imageKey))
        // Without its image, the result can't be opened here. It's in Recent Activity.
        .then(
          (isStored) => (isStored ? add(job) : forgetLeftJob(job.jobId)),
          () => {},
        );
    return () => stop.abort();
  }, []);
  const drop = ({ jobId }: LeftJob) => setLeft((all) => all.filter((one) => one.jobId !== jobId));
  return { job: left[0], drop };
}

/** Offers the latest job that was running, or has finished, when its tab was closed. Rendered while no image is open. */
export function LeftJobOffer({ user }: { user: User | null }) {
  const { job: left, drop } = useLeftJobs();
  const { data: job, error } = useQuery<Job>({
    queryKey: jobKey(left?.jobId),
    enabled: left !== undefined && user !== null,
    refetchInterval: ({ state: { data, error } }) => (error || (data && isFinal(data.status)) ? false : pollMs),
  });
  const sentence = user ? job && describe(job) : text.ended;
  const isOver = (job !== undefined && sentence === undefined) || hasErrorCode(error, 'job_not_found');
  useEffect(() => {
    if (!left || !isOver) return;
    void dismissLeftJob(left);
    drop(left);
  });
  if (!left || !sentence) return null;
  const open = async () => {
    if (!(await openLeftJob(left))) window.location.assign(mailPages.activity);
  };
  const dismiss = () => {
    void dismissLeftJob(left);
    drop(left);
  };
  return (
    <Notice kind="info">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span role="status">{sentence}</span>
        <span className="flex gap-2">
          {user ? (
            <Button size="small" onClick={() => void open()}>
              {job?.status === 'completed' ? text.result : text.open}
            </Button>
          ) : (
            <a
              href={routeUrl(apiRoutes.loginPage, { query: { next: paths.home } })}
              className={buttonStyle({ look: 'secondary', size: 'small' })}
            >
              {messages.auth.signIn}
            </a>
          )}
          <Button look="secondary" size="small" onClick={dismiss}>
            {text.dismiss}
          </Button>
        </span>
      </div>
    </Notice>
  );
}
