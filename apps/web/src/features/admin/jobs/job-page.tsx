import { errorCodes, isErrorCode } from '@uprez/contracts/errors/error-codes';
import { formatNames } from '@uprez/contracts/policy/images/image-formats';
import { isFinalStatus } from '@uprez/contracts/policy/job-status';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { type AdminJobDetails, retryJobBodySchema } from '@uprez/contracts/schemas/admin/jobs';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { formatBytes, formatCount, formatPercent } from '@uprez/contracts/texts/format';
import { type ReactNode, useId, useState } from 'react';
import { Link, useParams } from 'react-router';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { formatDateTime, formatDuration, formatSize } from '../../../lib/format/format.ts';
import { emptyAsUndefined, useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { FactGrid } from '../../../ui/layout/fact-grid.tsx';
import { LedgerTable, ledgerMessages } from '../../../ui/ledger/ledger-table.tsx';
import { FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { listReceiptFacts, ReceiptDetails } from '../../../ui/receipt/receipt-dialogs.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage, MissingPage } from '../frame/admin-page.tsx';
import { useHasPermission, useOwnUser } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { linkStyle, OwnerLink, StateBadges } from './cells.tsx';
import { findRetryBlock, jobMessages, jobMessages as text } from './job-messages.ts';
import { jobPath, toJobsPath } from './links.ts';
import { jobsMessages } from './messages.ts';
import { optionalReasonField, reasonText } from './operation-messages.ts';
import { changedKeys, useJob } from './queries.ts';

/** Shows a job's details and the administrator's actions, but never the job's image. */
export function JobPage() {
  const { id = '' } = useParams();
  const query = useJob(id);
  if (hasErrorCode(query.error, 'job_not_found')) return <MissingPage text={text.notFound} list={adminPages.jobs} />;
  const job = query.data;
  return (
    <AdminPage
      title={job?.filename ?? text.loading}
      subtitle={job?.id ?? ''}
      actions={job && <JobActions key={job.id} job={job} />}
    >
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(found) => <JobDetails job={found} now={query.dataUpdatedAt} />}
      </QueryView>
    </AdminPage>
  );
}

const { facts: jobFactsText, attempts: attemptTexts } = jobMessages;

const { kinds, surfaces } = jobsMessages.list;

type Fact = readonly [label: string, value: ReactNode];

type JobProps = { job: AdminJobDetails };

/** Returns how long a job waited or has been waiting. `now`: when the job was loaded, in milliseconds. */
function waitFactsOf({ status, createdAt, startedAt }: AdminJobDetails, now: number): Fact[] {
  const since = Date.parse(createdAt);
  if (status === 'queued') return [[jobFactsText.waiting, formatDuration(Math.max(0, now - since))]];
  return startedAt ? [[jobFactsText.wait, formatDuration(Date.parse(startedAt) - since)]] : [];
}

const toLinkFacts = (label: string, id: string | null): Fact[] =>
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

function toStoredFact({ storedSource: stored, sourceMoved }: AdminJobDetails): Fact {
  if (!stored) return [jobFactsText.file, sourceMoved ? jobFactsText.moved : jobFactsText.deleted];
  return stored.expiresAt
    ? [jobFactsText.stored, formatDateTime(stored.expiresAt)]
    : [jobFactsText.file, jobFactsText.noEnd];
}

const formatSeconds = (value: number) => formatDuration(value * 1_000);

/** `now`: when the job was loaded, in milliseconds. */
function JobFacts({ job, now }: JobProps & { now: number }) {
  const { kind, surface, engine, tier, source, output, startedAt, finishedAt } = job;
  const meter = job.ledger[0]?.meter;
  return (
    <Card title={jobFactsText.title}>
      <FactGrid
        facts={[
          [jobFactsText.owner, <OwnerLink key="owner" account={job.account} />],
          [jobFactsText.status, <StateBadges key="status" {...job} />],
          [jobFactsText.kind, `${kinds[kind]}, ${surfaces[surface]}`],
          [jobFactsText.engine, engine],
          [jobFactsText.plan, tier ? currentPlans[tier].name : jobFactsText.noPlan],
          [jobFactsText.meter, meter ? ledgerMessages.meters[meter] : jobFactsText.noMeter],
          [
            jobFactsText.source,
            `${formatSize(source)}, ${formatNames[source.format]}, ${formatBytes(source.fileSize)}`,
          ],
          [jobFactsText.output, `${formatSize(output)}, ${formatNames[output.format]}`],
          toStoredFact(job),
          [jobFactsText.created, formatDateTime(job.createdAt)],
          ...(startedAt ? [[jobFactsText.started, formatDateTime(startedAt)] as const] : []),
          ...waitFactsOf(job, now),
          ...(finishedAt ? [[jobFactsText.finished, formatDateTime(finishedAt)] as const] : []),
          ...(job.status === 'processing' ? [[jobFactsText.progress, formatPercent(job.progress)] as const] : []),
          [jobFactsText.estimated, formatSeconds(job.estimatedSeconds)],
          [jobFactsText.used, formatSeconds(job.usedSeconds)],
          ...toLinkFacts(jobFactsText.retryOf, job.retryOf),
          ...toLinkFacts(jobFactsText.retriedBy, job.retriedBy),
          ...(job.batchId ? [[jobFactsText.batch, <code key="batch">{job.batchId}</code>] as const] : []),
        ]}
      />
    </Card>
  );
}

function AttemptFacts({ job: { attempt, failures, failureCause, lease, status, notBefore } }: JobProps) {
  const until = lease && formatDateTime(lease.until);
  return (
    <Card title={attemptTexts.title}>
      <FactGrid
        facts={[
          [attemptTexts.started, formatCount(attempt)],
          [attemptTexts.failures, formatCount(failures)],
          ...(failureCause ? [[attemptTexts.cause, failureCause] as const] : []),
          ...(status === 'queued' ? [[attemptTexts.next, formatDateTime(notBefore)] as const] : []),
          [attemptTexts.worker, lease?.workerId ?? attemptTexts.notRunning],
          ...(lease && until
            ? [[attemptTexts.lease, attemptTexts[lease.isExpired ? 'leaseEnded' : 'leaseUntil'](until)] as const]
            : []),
        ]}
      />
    </Card>
  );
}

function ErrorNotice({ code, detail }: { code: string; detail: string | null }) {
  return (
    <Notice kind="danger">
      <p>{detail ?? (isErrorCode(code) ? errorCodes[code].title : text.error.title)}</p>
      <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
        <code className="text-xs">{code}</code>
        <Link to={toJobsPath({ error: code })} className={linkStyle}>
          {text.error.all}
        </Link>
      </p>
    </Notice>
  );
}

/** `now`: when the job was loaded, in milliseconds. */
function JobDetails({ job, now }: { job: AdminJobDetails; now: number }) {
  const { id, errorCode, errorDetail, receipt, ledger } = job;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {errorCode && <ErrorNotice code={errorCode} detail={errorDetail} />}
      <JobFacts job={job} now={now} />
      <AttemptFacts job={job} />
      <Card title={text.ledger.title}>
        {ledger.length > 0 ? (
          <LedgerTable rows={ledger.toReversed()} />
        ) : (
          <p className="text-muted text-sm">{text.ledger.none}</p>
        )}
      </Card>
      <Card title={text.receipt.title}>
        {receipt ? (
          <ReceiptDetails facts={listReceiptFacts(receipt)} receipt={receipt} filename={`receipt-${id}.json`} />
        ) : (
          <p className="text-muted text-sm">{text.receipt.none}</p>
        )}
      </Card>
    </div>
  );
}

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
      {!isFinalStatus(job.status) && (
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

function JobActions({ job }: { job: AdminJobDetails }) {
  const mayRetry = useHasPermission('jobs.retry');
  const mayOperate = useHasPermission('jobs.operate');
  return (
    <>
      {mayRetry && job.status === 'failed' && <RetryButton job={job} />}
      {mayOperate && <ChangeButtons job={job} />}
    </>
  );
}

type JobChange = 'requeue' | 'cancel';

type SeenJobState = { status: 'queued' | 'processing'; attempt: number };

type ReasonInput = { reason?: string | undefined };

/** The server changes the job only if it is still in this state. Undefined for a finished job. */
const toSeenState = ({ status, attempt }: AdminJobDetails): SeenJobState | undefined =>
  status === 'queued' || status === 'processing' ? { status, attempt } : undefined;

type ChangeDialogProps = { job: AdminJobDetails; change: JobChange; onClose: () => void };

/**
 * Changes a job if it is still in the displayed state. Otherwise, the dialog stays open, keeps the reason that the
 * administrator entered, and offers to reload the state.
 */
function ChangeDialog({ job, change: kind, onClose }: ChangeDialogProps) {
  const changeText = text[kind];
  const { id, filename } = job;
  const query = useJob(id);
  const [seen, setSeen] = useState(toSeenState(job));
  const [isChanged, setChanged] = useState(false);
  const change = useResourceMutation({
    call: (body: SeenJobState & ReasonInput) => {
      const request = { params: { id }, body };
      return kind === 'requeue' ? adminApi.adminRequeueJob(request) : adminApi.adminCancelJob(request);
    },
    invalidates: changedKeys,
  });
  const form = useApiForm<ReasonInput>({
    schema: retryJobBodySchema,
    defaultValues: {},
    send: async (body) => {
      if (!seen) return;
      try {
        await change.mutateAsync({ ...seen, ...body });
      } catch (error) {
        if (!hasErrorCode(error, 'job_changed')) throw error;
        setChanged(true);
        return;
      }
      showToast({ title: changeText.done });
      onClose();
    },
  });
  const reload = async () => {
    const { data } = await query.refetch();
    if (!data) return;
    setSeen(toSeenState(data));
    setChanged(false);
  };
  const notice = isChanged && (
    <Notice kind="danger">
      <div className="flex flex-wrap items-center justify-between gap-3">
        {errorCodes.job_changed.title}
        <Button look="secondary" size="small" pending={query.isFetching} onClick={() => void reload()}>
          {text.reload}
        </Button>
      </div>
    </Notice>
  );
  const state = seen && text.seen(adminMessages.table.statuses[seen.status], seen.attempt);
  return (
    <FormDialog
      title={changeText.title(filename)}
      description={[changeText.description, state].filter(Boolean).join(' ')}
      form={form}
      text={changeText}
      look={kind === 'cancel' ? 'danger' : 'primary'}
      missing={seen ? undefined : text.finished}
      notice={notice || undefined}
      {...(kind === 'cancel' && { keep: text.cancel.keep })}
      onClose={onClose}
    >
      <TextField {...reasonText} autoComplete="off" {...form.field('reason', emptyAsUndefined)} />
    </FormDialog>
  );
}

const retryText = text.retry;

/** If the original has been deleted in the meantime, the dialog stays open and shows the error. */
const RetryDialog = ({ job: { id, filename }, onClose }: { job: AdminJobDetails; onClose: () => void }) => (
  <FormCallDialog
    text={{ ...retryText, title: retryText.title(filename), text: retryText.description }}
    schema={retryJobBodySchema}
    initial={{}}
    fields={[optionalReasonField]}
    call={(body) => adminApi.adminRetryJob({ params: { id }, body })}
    refreshes={changedKeys}
    done={retryText.done}
    onClose={onClose}
  />
);
