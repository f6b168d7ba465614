import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { isFinalStatus, type JobStatus, jobStatuses } from '@uprez/contracts/policy/job-status';
import { limits } from '@uprez/contracts/policy/limits';
import type { DeletionReceipt, Job } from '@uprez/contracts/schemas/jobs/job';
import { formatBytes, formatCount } from '@uprez/contracts/texts/format';
import { CircleX, Columns2, Download, ImageOff, ReceiptText, RotateCcw, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { dashboardKey, useDashboard } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { useNow } from '../../lib/browser/use-now.ts';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { formatDateTime, formatEstimate, formatSize, formatTimeLeft } from '../../lib/format/format.ts';
import { isResultDisplayable } from '../../lib/images/image-size.ts';
import { isCancelCharged } from '../../lib/jobs/is-cancel-charged.ts';
import { isFocusLost } from '../../lib/layout/focus.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { SearchField, searchName } from '../../ui/controls/search-field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Tooltip } from '../../ui/controls/tooltip.tsx';
import { StatusDot, type StatusKind } from '../../ui/feedback/badge.tsx';
import { EmptyState, NoActivityArt } from '../../ui/feedback/empty-state.tsx';
import { PreviewImage } from '../../ui/feedback/preview-image.tsx';
import { MoreButton, QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { ConfirmDialog, keepProcessingLabel } from '../../ui/overlays/confirm-dialog.tsx';
import { ActionsMenu } from '../../ui/overlays/menu.tsx';
import { DeletionReceiptDialog, JobReceiptDialog } from '../../ui/receipt/receipt-dialogs.tsx';
import { activityMessages as text } from './messages.ts';
import { type ActivityFilter, type ActivityPages, activityKey, useActivity, useLiveActivity } from './use-activity.ts';

type GridProps = {
  data: ActivityPages;
  onAsk: (question: JobDialog) => void;
  onRerun: (job: Job) => void;
};

type ActivityListProps = Pick<GridProps, 'onRerun'> & { onProcess: () => void };

export function ActivityList({ onProcess, onRerun }: ActivityListProps) {
  const { clear, ...filter } = useActivityFilter();
  const query = useActivity(filter);
  useLiveActivity(filter, useDashboard().data?.recentActivity);
  // Kept outside the grid, because deleting the last image removes the grid while a dialog is still open.
  const [question, setQuestion] = useState<JobDialog>();
  const close = () => {
    setQuestion(undefined);
    if (question) restoreFocusTo(cardId(question.job));
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

const countdownMs = 30_000;

const gridStyle = 'grid gap-3 sm:grid-cols-2 xl:grid-cols-3';

function ActivitySkeleton() {
  return (
    <div className={gridStyle}>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} className="h-24 rounded-card sm:h-60" />
      ))}
    </div>
  );
}

/** Moves the focus to the job's card if the button that opened the dialog was removed. */
const restoreFocusTo = (id: string) =>
  requestAnimationFrame(() => {
    if (isFocusLost()) document.getElementById(id)?.focus({ preventScroll: true });
  });

function ActivityGrid({ data, ...actions }: GridProps) {
  const now = useNow(countdownMs);
  const jobs = data.pages.flatMap((page) => page.jobs);
  const total = Math.max(data.pages[0]?.total ?? 0, jobs.length);
  return (
    <>
      <ul aria-label={text.list} className={gridStyle}>
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

const ActivityThumbnail = ({ src }: { src: string | null }) => (
  <div className="grid h-full min-h-20 place-items-center overflow-hidden bg-stage sm:h-36">
    <PreviewImage
      src={src}
      className="size-full max-h-36 object-contain"
      fallback={<ImageOff role="img" aria-label={text.noPreview} strokeWidth={1.5} className="size-5 text-muted" />}
    />
  </div>
);

/** Red is reserved for failed jobs. */
export const statusKinds: Record<JobStatus, StatusKind> = {
  completed: 'done',
  processing: 'active',
  queued: 'active',
  failed: 'failed',
  cancelled: 'ended',
  expired: 'ended',
};

function statusText({ status, progress, queuePosition, waitSeconds = 0 }: Job): string {
  if (status === 'processing') return text.processing(progress);
  if (status === 'queued' && queuePosition !== undefined) {
    const place = text.queued(queuePosition);
    return waitSeconds < 1 ? place : text.queuedFor(place, formatEstimate(waitSeconds));
  }
  return text.statuses[status];
}

function formatSizeChange(
  { originalSize, processedSize }: Job,
  format: (sizes: Job['originalSize']) => string,
): string {
  return processedSize ? text.change(format(originalSize), format(processedSize)) : format(originalSize);
}

function Facts({ job, now }: { job: Job; now: number }) {
  const left = job.expiresAt && formatTimeLeft(job.expiresAt, now);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="text-ink">
          <StatusDot kind={statusKinds[job.status]} text={statusText(job)} />
        </span>
        <span>{text.factor(job.scaleFactor)}</span>
        <time dateTime={job.createdAt}>{formatDateTime(job.createdAt)}</time>
      </p>
      <p>{formatSizeChange(job, formatSize)}</p>
      <p className="flex flex-wrap justify-between gap-x-2">
        <span>{formatSizeChange(job, ({ fileSize }) => formatBytes(fileSize))}</span>
        {job.status === 'completed' && job.expiresAt && <span>{left ? text.deletedIn(left) : text.deletedNow}</span>}
      </p>
      {job.status === 'failed' && job.error && <p className="text-danger wrap-anywhere">{job.error.message}</p>}
    </>
  );
}

type ActionsProps = { job: Job; onAsk: (question: JobDialog) => void; onRerun: (job: Job) => void };

const isComparable = ({ downloadUrl, format, processedSize }: Job) =>
  downloadUrl !== null && processedSize !== null && isResultDisplayable(format, processedSize);

function ActivityActions({ job, onAsk, onRerun }: ActionsProps) {
  const { id, filename, status, downloadUrl } = job;
  const removal = isFinalStatus(status)
    ? { label: text.deleteNow, icon: Trash2, danger: true }
    : { label: text.cancel, icon: CircleX, danger: true };
  const receipt = { label: text.receipt, icon: ReceiptText, onSelect: () => onAsk({ what: 'receipt', job }) };
  const rerun = { label: status === 'failed' ? text.retry : text.rerun, icon: RotateCcw, onSelect: () => onRerun(job) };
  const compare = { label: text.compare.open, icon: Columns2, onSelect: () => onAsk({ what: 'comparison', job }) };
  const items = [
    ...(isComparable(job) ? [compare] : []),
    ...(isFinalStatus(status) ? [rerun] : []),
    ...(job.processedSize ? [receipt] : []),
    ...(status === 'expired' ? [] : [{ ...removal, onSelect: () => onAsk({ what: 'deletion', job }) }]),
  ];
  return (
    <div className="-mr-2 flex shrink-0">
      {downloadUrl !== null && (
        <Tooltip text={text.downloadHint}>
          <a
            href={routeUrl(apiRoutes.downloadImage, { params: { id } })}
            download
            aria-label={text.download(filename)}
            className={buttonStyle({ look: 'ghost', size: 'icon' })}
          >
            <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
          </a>
        </Tooltip>
      )}
      <ActionsMenu label={text.more(filename)} items={items} />
    </div>
  );
}

const cardId = ({ id }: Pick<Job, 'id'>): string => `job-${id}`;

function ActivityCard({ job, now, ...actions }: ActionsProps & { now: number }) {
  return (
    <li
      id={cardId(job)}
      tabIndex={-1}
      className="grid min-w-0 grid-cols-[5rem_minmax(0,1fr)] overflow-hidden rounded-card border border-line bg-surface sm:grid-cols-1 sm:grid-rows-[auto_1fr]"
    >
      <ActivityThumbnail src={job.thumbnailUrl} />
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-0.5 px-3 pt-1 pb-2.5 text-muted text-xs tabular-nums sm:border-line sm:border-t">
        <div className="flex min-h-9 items-center justify-between gap-1 pointer-coarse:min-h-11">
          <h2 title={job.filename} className="verbatim truncate font-medium text-ink text-sm tracking-normal">
            {job.filename}
          </h2>
          <ActivityActions job={job} {...actions} />
        </div>
        <Facts job={job} now={now} />
      </div>
    </li>
  );
}

const ComparisonDialog = lazy(async () => ({
  default: (await import('./comparison-dialog.tsx')).ComparisonDialog,
}));

/**
 * Deletes the files of a finished job and shows the receipt, or cancels a job. The server chooses by the job's status.
 */
function JobDeletion({ job, onDone }: { job: Job; onDone: () => void }) {
  const [receipt, setReceipt] = useState<DeletionReceipt>();
  const kind = isFinalStatus(job.status) ? 'delete' : 'cancel';
  const question = text.confirm[kind === 'cancel' && isCancelCharged(job) ? 'chargedCancel' : kind];
  const deletion = useResourceMutation({
    call: async () => (await api.deleteJob({ params: { id: job.id } })).data,
    onSuccess: (result) => {
      if ('objects' in result) return setReceipt(result);
      showToast({ ...text.cancelled, ...(result.credits > 0 && { description: result.error?.message }) });
      onDone();
    },
    onError: onDone,
    invalidates: [activityKey, dashboardKey],
    errorTitle: text.failed[kind],
  });
  if (receipt) return <DeletionReceiptDialog receipt={receipt} filename={job.filename} onClose={onDone} />;
  return (
    <ConfirmDialog
      {...question}
      open
      onOpenChange={onDone}
      text={question.text(job.filename)}
      keep={kind === 'cancel' ? keepProcessingLabel : undefined}
      pending={deletion.isPending}
      onConfirm={() => deletion.mutate()}
    />
  );
}

/** Stores the job instead of its ID, because the list may change while the dialog is open. */
type JobDialog = { what: 'receipt' | 'deletion' | 'comparison'; job: Job };

function ActivityDialogs({ question: { what, job }, onDone }: { question: JobDialog; onDone: () => void }) {
  if (what === 'deletion') return <JobDeletion job={job} onDone={onDone} />;
  if (what === 'comparison')
    return (
      <Suspense>
        <ComparisonDialog job={job} onClose={onDone} />
      </Suspense>
    );
  return <JobReceiptDialog job={job} onClose={onDone} />;
}

const choices = ['all', ...jobStatuses] as const;
const options = choices.map((value) => ({ value, label: value === 'all' ? text.all : text.statuses[value] }));
const statusParam = 'status';

const useStatusFilter = () => useSearchParam({ name: statusParam, choices, fallback: 'all' });

function useActivityFilter(): ActivityFilter & { clear: () => void } {
  const [params, setParams] = useSearchParams();
  const [status] = useStatusFilter();
  const clear = () =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const name of [statusParam, searchName]) after.delete(name);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return { status: status === 'all' ? undefined : status, search: params.get(searchName) ?? '', clear };
}

export function ActivityFilterFields() {
  const [status, setStatus] = useStatusFilter();
  return (
    <div className="flex flex-wrap gap-3">
      <div className="w-52 max-sm:w-full">
        <SearchField label={text.search} maxLength={limits.searchLength} />
      </div>
      <div className="w-44 max-sm:w-full">
        <Select label={text.filter} labelHidden value={status} onChange={setStatus} options={options} />
      </div>
    </div>
  );
}
