import { isFinal } from '@uprez/contracts/policy/job-status';
import type { AdminJobDetails } from '@uprez/contracts/schemas/admin-jobs';
import { useId, useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { useMay } from '../frame/use-may.ts';
import { useOwnUser } from '../frame/use-own-user.ts';
import { ChangeDialog, type JobChange } from './change-dialog.tsx';
import { findRetryBlock } from './find-retry-block.ts';
import { jobMessages as text } from './job-messages.ts';
import { RetryDialog } from './retry-dialog.tsx';

/** Retries a failed job. While that isn't possible, the reason is shown. */
function RetryButton({ job }: { job: AdminJobDetails }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const block = findRetryBlock(job, useOwnUser()?.id);
  return (
    <div className="flex max-w-prose flex-wrap items-center gap-3">
      <Button disabled={block !== undefined} aria-describedby={block && id} onClick={() => setOpen(true)}>
        {text.retry.action}
      </Button>
      {block && (
        <p id={id} className="text-muted text-sm">
          {block}
        </p>
      )}
      {isOpen && <RetryDialog job={job} onClose={() => setOpen(false)} />}
    </div>
  );
}

function ChangeButtons({ job }: { job: AdminJobDetails }) {
  const [chosen, setChosen] = useState<JobChange>();
  return (
    <div className="flex flex-wrap gap-2">
      {!isFinal(job.status) && (
        <>
          <Button look="secondary" onClick={() => setChosen('requeue')}>
            {text.requeue.action}
          </Button>
          <Button look="danger" onClick={() => setChosen('cancel')}>
            {text.cancel.action}
          </Button>
        </>
      )}
      {chosen && <ChangeDialog job={job} change={chosen} onClose={() => setChosen(undefined)} />}
    </div>
  );
}

/** What the role of the administrator may do with a job in its state. */
export function JobActions({ job }: { job: AdminJobDetails }) {
  const mayRetry = useMay('jobs.retry');
  const mayOperate = useMay('jobs.operate');
  return (
    <>
      {mayRetry && job.status === 'failed' && <RetryButton job={job} />}
      {mayOperate && <ChangeButtons job={job} />}
    </>
  );
}
