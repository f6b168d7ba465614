import { formatNames } from '@uprez/contracts/policy/image-formats';
import { currentPlans } from '@uprez/contracts/policy/plans';
import type { AdminJobDetails } from '@uprez/contracts/schemas/admin-jobs';
import { formatBytes, formatCount, formatPercent } from '@uprez/contracts/texts/format';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatDuration, formatSize, formatTime } from '../../../lib/format/format.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { FactGrid } from '../../../ui/layout/fact-grid.tsx';
import { ledgerMessages } from '../../../ui/ledger/messages.ts';
import { linkStyle, OwnerLink, StateBadges } from './cells.tsx';
import { jobMessages } from './job-messages.ts';
import { jobPath } from './links.ts';
import { jobsMessages } from './messages.ts';

const { facts: text, attempts: attemptTexts } = jobMessages;
const { kinds, surfaces } = jobsMessages.list;

type Fact = readonly [label: string, value: ReactNode];
type Job = { job: AdminJobDetails };

/** How long a job waited, or has been waiting. `now`: in milliseconds. */
function waitOf({ status, createdAt, startedAt }: AdminJobDetails, now: number): Fact[] {
  const since = Date.parse(createdAt);
  if (status === 'queued') return [[text.waiting, formatDuration(Math.max(0, now - since))]];
  return startedAt ? [[text.wait, formatDuration(Date.parse(startedAt) - since)]] : [];
}

const linkTo = (label: string, id: string | null): Fact[] =>
  id === null
    ? []
    : [
        [
          label,
          <Link key={label} to={jobPath(id)} className={linkStyle}>
            {id}
          </Link>,
        ],
      ];

/** Until when the original is stored. */
function storedFact({ storedSource: stored, sourceMoved }: AdminJobDetails): Fact {
  if (!stored) return [text.file, sourceMoved ? text.moved : text.deleted];
  return stored.expiresAt ? [text.stored, formatTime(stored.expiresAt)] : [text.file, text.noEnd];
}

const seconds = (value: number) => formatDuration(value * 1_000);

/** The owner, the image, and the times of a job. `now`: in milliseconds. */
export function JobFacts({ job, now }: Job & { now: number }) {
  const { kind, surface, engine, tier, source, output, startedAt, finishedAt } = job;
  const meter = job.ledger[0]?.meter;
  return (
    <Card title={text.title}>
      <FactGrid
        facts={[
          [text.owner, <OwnerLink key="owner" account={job.account} />],
          [text.status, <StateBadges key="status" {...job} />],
          [text.kind, `${kinds[kind]}, ${surfaces[surface]}`],
          [text.engine, engine],
          [text.plan, tier ? currentPlans[tier].name : text.noPlan],
          [text.meter, meter ? ledgerMessages.meters[meter] : text.noMeter],
          [text.source, `${formatSize(source)}, ${formatNames[source.format]}, ${formatBytes(source.fileSize)}`],
          [text.output, `${formatSize(output)}, ${formatNames[output.format]}`],
          storedFact(job),
          [text.created, formatTime(job.createdAt)],
          ...(startedAt ? [[text.started, formatTime(startedAt)] as const] : []),
          ...waitOf(job, now),
          ...(finishedAt ? [[text.finished, formatTime(finishedAt)] as const] : []),
          ...(job.status === 'processing' ? [[text.progress, formatPercent(job.progress)] as const] : []),
          [text.estimated, seconds(job.estimatedSeconds)],
          [text.used, seconds(job.usedSeconds)],
          ...linkTo(text.retryOf, job.retryOf),
          ...linkTo(text.retriedBy, job.retriedBy),
          ...(job.batchId ? [[text.batch, <code key="batch">{job.batchId}</code>] as const] : []),
        ]}
      />
    </Card>
  );
}

/** The attempts of a job, and the one that runs. */
export function AttemptFacts({ job: { attempt, failures, failureCause, lease, status, notBefore } }: Job) {
  const until = lease && formatTime(lease.until);
  return (
    <Card title={attemptTexts.title}>
      <FactGrid
        facts={[
          [attemptTexts.started, formatCount(attempt)],
          [attemptTexts.failures, formatCount(failures)],
          ...(failureCause ? [[attemptTexts.cause, failureCause] as const] : []),
          ...(status === 'queued' ? [[attemptTexts.next, formatTime(notBefore)] as const] : []),
          [attemptTexts.worker, lease?.workerId ?? attemptTexts.notRunning],
          ...(lease && until
            ? [[attemptTexts.lease, attemptTexts[lease.isExpired ? 'leaseEnded' : 'leaseUntil'](until)] as const]
            : []),
        ]}
      />
    </Card>
  );
}
