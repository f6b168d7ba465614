import { formatCount } from '@uprez/contracts/texts/format';
import { Link } from 'react-router';
import { type JobFilter, jobsOf } from './links.ts';
import { jobsMessages } from './messages.ts';

type RowsLinkProps = { count: number; filter: JobFilter; jobs: string };

/** A number of jobs that leads to their rows. `jobs`: what they are, for screen readers. */
export function RowsLink({ count, filter, jobs }: RowsLinkProps) {
  if (count === 0) return <span className="text-muted">{formatCount(count)}</span>;
  return (
    <Link
      to={jobsOf(filter)}
      aria-label={jobsMessages.overview.show(count, jobs)}
      className="rounded-small underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {formatCount(count)}
    </Link>
  );
}
