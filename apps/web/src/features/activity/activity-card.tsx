import type { Job } from '@uprez/contracts/job';
import { formatBytes, formatDate, formatSize, formatTimeLeft } from '../../lib/format.ts';
import { activityMessages as text } from '../../messages/dashboard.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import { ActivityActions } from './activity-actions.tsx';
import type { Question } from './activity-dialogs.tsx';
import { ActivityThumbnail } from './activity-thumbnail.tsx';
import { statusKind } from './status-kind.ts';

/** The word of a state, with how far it is where that changes. */
function statusText({ status, progress, queuePosition }: Job): string {
  if (status === 'processing') return text.processing(progress);
  if (status === 'queued' && queuePosition) return text.queued(queuePosition);
  return text.statuses[status];
}

/** Pixels and bytes, before and after; only before where there is no result. */
function sizes({ originalSize, processedSize }: Job): string[] {
  if (!processedSize) return [formatSize(originalSize), formatBytes(originalSize.fileSize)];
  return [
    text.change(formatSize(originalSize), formatSize(processedSize)),
    text.change(formatBytes(originalSize.fileSize), formatBytes(processedSize.fileSize)),
  ];
}

/** Why it failed, or how long the result stays. */
function Fate({ job, now }: { job: Job; now: number }) {
  if (job.status === 'failed' && job.error) return <p className="text-danger">{job.error.message}</p>;
  if (job.status !== 'completed' || !job.expiresAt) return null;
  const left = formatTimeLeft(job.expiresAt, now);
  return <p>{left ? text.deletedIn(left) : text.deletedNow}</p>;
}

type ActivityCardProps = { job: Job; now: number; onAsk: (question: Question) => void };

/** One job: its picture, state and sizes, and what can be done with it. */
export function ActivityCard({ job, now, onAsk }: ActivityCardProps) {
  return (
    <li className="grid min-w-0 grid-cols-[5rem_minmax(0,1fr)] overflow-hidden rounded-card border border-line bg-surface sm:grid-cols-1 sm:grid-rows-[auto_1fr]">
      <ActivityThumbnail src={job.thumbnailUrl} />
      <div className="flex min-w-0 items-start justify-between gap-1 p-3 sm:border-line sm:border-t">
        <div className="grid min-w-0 gap-0.5 text-muted text-xs tabular-nums">
          <h3 title={job.filename} className="truncate font-medium text-ink text-sm tracking-normal">
            {job.filename}
          </h3>
          <p className="flex flex-wrap items-center gap-x-2">
            <span className="text-ink">
              <StatusDot kind={statusKind(job.status)} text={statusText(job)} />
            </span>
            <span>{text.factor(job.scaleFactor)}</span>
            <time dateTime={job.createdAt}>{formatDate(job.createdAt)}</time>
          </p>
          {sizes(job).map((line) => (
            <p key={line}>{line}</p>
          ))}
          <Fate job={job} now={now} />
        </div>
        <div className="-mt-1.5 -mr-1.5 shrink-0">
          <ActivityActions job={job} onAsk={onAsk} />
        </div>
      </div>
    </li>
  );
}
