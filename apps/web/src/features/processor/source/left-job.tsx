import { useQuery } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { isFinal } from '@uprez/contracts/policy/job-status';
import type { Job } from '@uprez/contracts/schemas/job';
import type { User } from '@uprez/contracts/schemas/user';
import { formatPercent } from '@uprez/contracts/texts/format';
import { mailPages } from '@uprez/contracts/texts/pages';
import { useState } from 'react';
import { messages } from '../../../messages.ts';
import { paths } from '../../../site-map.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { findLeftJob, forgetLeftJob, jobKey } from '../state/run-storage.ts';
import { openLeftJob } from './choose-image.ts';

const text = messages.processor.left;
const pollMs = 5_000;

/** What to say about a job that a closed tab left. Undefined: there is nothing to come back to. */
function describe({ filename, status, progress }: Job): string | undefined {
  if (status === 'queued') return text.queued(filename);
  if (status === 'processing') return text.processing(filename, formatPercent(progress));
  return status === 'completed' ? text.completed(filename) : undefined;
}

/** Offers the job that was running, or has finished, when its tab was closed. Rendered while no image is open. */
export function LeftJobOffer({ user }: { user: User | null }) {
  const [left, setLeft] = useState(findLeftJob);
  const { data: job } = useQuery<Job>({
    queryKey: jobKey(left?.jobId),
    enabled: left !== undefined && user !== null,
    refetchInterval: ({ state: { data, error } }) => (error || (data && isFinal(data.status)) ? false : pollMs),
  });
  if (!left) return null;
  if (!user)
    return (
      <Notice kind="info">
        <div className="flex flex-wrap items-center justify-between gap-3">
          {text.ended}
          <a
            href={routeUrl(apiRoutes.loginPage, { query: { next: paths.home } })}
            className={buttonStyle({ look: 'secondary', size: 'small' })}
          >
            {messages.auth.signIn}
          </a>
        </div>
      </Notice>
    );
  const sentence = job && describe(job);
  if (!sentence) return null;
  const open = async () => {
    if (!(await openLeftJob(left))) window.location.assign(mailPages.activity);
  };
  const dismiss = () => {
    forgetLeftJob();
    setLeft(undefined);
  };
  return (
    <Notice kind="info">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span role="status">{sentence}</span>
        <span className="flex gap-2">
          <Button size="small" onClick={() => void open()}>
            {job.status === 'completed' ? text.result : text.open}
          </Button>
          <Button look="secondary" size="small" onClick={dismiss}>
            {text.dismiss}
          </Button>
        </span>
      </div>
    </Notice>
  );
}
