import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@uprez/client/api-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { formatTraits } from '@uprez/contracts/policy/images/image-formats';
import { isFinalStatus } from '@uprez/contracts/policy/job-status';
import { limits } from '@uprez/contracts/policy/limits';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import type { User } from '@uprez/contracts/schemas/user';
import { formatBytes, formatPercent } from '@uprez/contracts/texts/format';
import { lazy, Suspense, useDeferredValue, useEffect, useState } from 'react';
import { subscribeToJobs } from '../../lib/api/job-events.ts';
import { dashboardKey } from '../../lib/api/queries.ts';
import { fetchByQueryKey } from '../../lib/api/query-client.ts';
import { setUnloadGuard } from '../../lib/browser/unload-guard.ts';
import { formatEstimate, formatSize } from '../../lib/format/format.ts';
import { useRemainingTime } from '../../lib/format/time-estimator.ts';
import { isDisplayable } from '../../lib/images/image-size.ts';
import { isCancelCharged } from '../../lib/jobs/is-cancel-charged.ts';
import { useFocusOnMount } from '../../lib/layout/focus.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { redirectAfterSessionEnd } from '../../lib/session/redirect-to-sign-in.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { Spinner } from '../../ui/layout/logo-mark.tsx';
import { ConfirmDialog, keepProcessingLabel } from '../../ui/overlays/confirm-dialog.tsx';
import { ImageName } from '../../ui/viewer/image-name.tsx';
import { Preview, Workspace } from '../../ui/viewer/workspace.tsx';
import { processorMessages as text } from './messages.ts';
import { usePreviewOptions } from './preview/preview-options.tsx';
import { ResultPanel } from './result/result-panel.tsx';
import { describeMilestone, queuedText } from './run/describe-run.ts';
import { cancelRun, failRun } from './run/process-image.ts';
import { SettingsForm } from './settings/settings-form.tsx';
import { removeImage } from './source/choose-image.ts';
import type { SourceImage } from './state/image.ts';
import { endRun, isBusy, isSending, type Run, useProcessor } from './state/processor-store.ts';
import { deleteJobId, jobKey } from './state/run-storage.ts';

const DeletionReceiptDialog = lazy(async () => ({
  default: (await import('../../ui/receipt/receipt-dialogs.tsx')).DeletionReceiptDialog,
}));

export function Workbench({ image, user }: { image: SourceImage; user: User | null }) {
  const { run, job } = useRun();
  const busy = useProcessor(isBusy);
  const deletion = useProcessor((state) => state.deletion);
  const completed = run.phase === 'done' && job?.status === 'completed' ? job : undefined;
  const known = job?.originalSize;
  const options = usePreviewOptions(image);
  // Renders the image first, because the panel takes longer.
  const hasPanel = useDeferredValue(true, false);
  return (
    <>
      <Workspace
        image={image}
        phase={run.phase}
        done={busy ? (job?.progress ?? 0) : undefined}
        {...options}
        result={completed && <ResultView key={completed.id} image={image} job={completed} />}
        panel={
          hasPanel && (
            <>
              <ImageBar image={image} known={known} disabled={busy} />
              {completed ? (
                <ResultPanel key={completed.id} job={completed} user={user} />
              ) : run.phase === 'idle' ? (
                <SettingsForm image={image} user={user} />
              ) : (
                <ProgressPanel run={run} job={job} />
              )}
            </>
          )
        }
      />
      {deletion && (
        <Suspense>
          <DeletionReceiptDialog {...deletion} onClose={() => useProcessor.setState({ deletion: undefined })} />
        </Suspense>
      )}
    </>
  );
}

const ImageViewer = lazy(async () => ({
  default: (await import('../../ui/viewer/image-viewer.tsx')).ImageViewer,
}));

function Still({ url, alt }: { url: string; alt: string }) {
  return (
    <div className="grid size-full place-items-center p-3">
      <img src={url} alt={alt} className="checkerboard max-h-[calc(var(--stage-height)-1.5rem)] max-w-full" />
    </div>
  );
}

/** Shows the original while the result is being decoded, which takes seconds for large images. */
const LoadingPreview = ({ image }: { image: SourceImage }) => (
  <Preview
    image={image}
    overlay={
      <div className="absolute inset-0 grid place-items-center">
        <div className="rounded-card bg-surface p-3">
          <Spinner label={text.loadingResult} />
        </div>
      </div>
    }
  />
);

/**
 * Shows the result next to the original if the browser can display both. Otherwise, shows the one that it can display,
 * or the result's thumbnail.
 */
function ResultView({ image, job }: { image: SourceImage; job: Job }) {
  // Keeps the first URL. The download link is renewed regularly, but the displayed image must not reload.
  const [url] = useState(job.downloadUrl);
  const { originalSize, processedSize, thumbnailUrl } = job;
  if (!formatTraits[job.format].shown && thumbnailUrl) return <Still url={thumbnailUrl} alt={text.resultPreview} />;
  if (!url || !processedSize || !isDisplayable(processedSize)) return <Preview image={image} />;
  if (!image.size || image.hiddenFormat) return <Still url={url} alt={text.result} />;
  const label = (name: string, size: typeof originalSize) => ({
    name,
    facts: `${formatSize(size)} · ${formatBytes(size.fileSize)}`,
  });
  return (
    <Suspense fallback={<LoadingPreview image={image} />}>
      <ImageViewer
        before={{ url: image.url, label: label(messages.processor.original, originalSize) }}
        after={{ url, label: label(job.scaleFactor > 1 ? messages.processor.upscaled : text.result, processedSize) }}
        size={processedSize}
        waiting={<LoadingPreview image={image} />}
      />
    </Suspense>
  );
}

function waitingText(run: Run, job: Job | undefined): string {
  if (run.phase !== 'sending') return queuedText(job);
  if (run.isRetrying) return text.retrying;
  return run.percent < 100 ? text.waiting : text.checking;
}

type PhaseProps = { label: string; percent: number | undefined; waiting: string; plannedSeconds?: number | undefined };

/** Progress bar for one phase of the run, with its own estimate of the remaining time. */
function Phase({ label, percent, waiting, plannedSeconds }: PhaseProps) {
  const seconds = useRemainingTime(percent === undefined || percent >= 100 ? undefined : percent / 100, plannedSeconds);
  const share = percent === undefined ? waiting : formatPercent(percent);
  const valueText = seconds === undefined ? share : text.left(share, formatEstimate(seconds));
  return <ProgressBar label={label} valueText={valueText} percent={percent} />;
}

function ProgressPanel({ run, job }: { run: Run; job: Job | undefined }) {
  // Focuses the section, not the button below. If the user is still holding a key down, a focused button would cancel
  // the run.
  const place = useFocusOnMount<HTMLElement>();
  const [asks, setAsks] = useState(false);
  const sent = run.phase === 'sending' ? run.percent : 100;
  const waiting = waitingText(run, job);
  const isRetrying = run.phase === 'sending' && run.isRetrying;
  return (
    <section ref={place} tabIndex={-1} aria-label={text.progress} className="grid gap-4 outline-none">
      <Phase label={text.upload} percent={isRetrying ? undefined : sent} waiting={waiting} />
      {sent < 100 ? (
        <ProgressBar label={text.processing} valueText={waiting} percent={0} />
      ) : (
        <Phase
          label={text.processing}
          percent={job?.status === 'processing' ? job.progress : undefined}
          waiting={waiting}
          plannedSeconds={job?.estimatedSeconds}
        />
      )}
      <Button
        look="secondary"
        size="wide"
        onClick={() => (job && isCancelCharged(job) ? setAsks(true) : void cancelRun())}
      >
        {text.cancel}
      </Button>
      <ConfirmDialog
        {...text.confirmCancel}
        keep={keepProcessingLabel}
        open={asks}
        onOpenChange={setAsks}
        onConfirm={() => {
          setAsks(false);
          void cancelRun();
        }}
      />
    </section>
  );
}

type ImageBarProps = { image: SourceImage; known: Job['originalSize'] | undefined; disabled: boolean };

function ImageBar({ image, known, disabled }: ImageBarProps) {
  const { source, size = known, frames } = image;
  const facts = [
    ...(size ? [formatSize(size)] : []),
    formatBytes(source.size),
    ...(frames ? [text.frames(frames)] : []),
  ];
  return (
    <ImageName
      {...{ name: source.name, facts, disabled }}
      removeLabel={text.remove}
      onRemove={() => void removeImage()}
    />
  );
}

const pollMs = 5_000;

/** Half the lifetime of a download link, in milliseconds. Each GET request for the job returns a new link. */
const renewMs = (limits.downloadLinkMinutes * 60_000) / 2;

const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : undefined);

/** The session has ended (401) or the job doesn't exist (404). */
const isJobUnavailable = (error: unknown) => statusOf(error) === 401 || statusOf(error) === 404;

function pollIntervalOf(job: Job | undefined, error: unknown): number | false {
  if (isJobUnavailable(error)) return false;
  if (!job || !isFinalStatus(job.status)) return pollMs;
  return job.status === 'completed' ? renewMs : false;
}

/**
 * Follows a job until it has finished. Returns the job, and the status code of a failed request. Job events report
 * changes, and polling is the fallback.
 */
function useJob(id: string | undefined) {
  const queryClient = useQueryClient();
  const { data: job, error } = useQuery({
    queryKey: jobKey(id),
    queryFn: (context) => fetchByQueryKey(context) as Promise<Job>,
    enabled: id !== undefined,
    refetchInterval: ({ state }) => pollIntervalOf(state.data, state.error),
    refetchIntervalInBackground: true,
  });
  const following = id !== undefined && !(job && isFinalStatus(job.status)) && !isJobUnavailable(error);
  useEffect(() => {
    if (!following) return;
    return subscribeToJobs((next) => {
      // A finished job is final. An event that was sent before the last poll must not replace it.
      queryClient.setQueryData<Job>(jobKey(next.id), (known) => (known && isFinalStatus(known.status) ? known : next));
    });
  }, [following, queryClient]);
  return { job, errorStatus: statusOf(error) };
}

function finishRun({ id, status, error, credits }: Job) {
  if (status === 'completed') return useProcessor.setState({ run: { phase: 'done', jobId: id } });
  if (status === 'failed') failRun(error?.message ?? errorCodes.internal.title, error?.code);
  else if (status === 'cancelled') endRun({ note: (credits > 0 && error?.message) || text.cancelled });
  else if (status === 'expired') endRun({ note: errorCodes.result_expired.title });
  else return;
  deleteJobId();
}

/** Marks a restored run as active once the status of its job is known. */
function confirmRun({ id: jobId }: Job) {
  const { run } = useProcessor.getState();
  if (run.phase === 'following' && run.isRestored) useProcessor.setState({ run: { phase: 'following', jobId } });
}

/**
 * Follows the current run and ends it when its job has finished. Warns before the user leaves the page during an
 * upload.
 */
function useRun() {
  const queryClient = useQueryClient();
  const run = useProcessor((state) => state.run);
  const { job, errorStatus } = useJob('jobId' in run ? run.jobId : undefined);
  useEffect(() => {
    if (!job) return;
    if (!isFinalStatus(job.status)) return confirmRun(job);
    finishRun(job);
    void queryClient.invalidateQueries({ queryKey: dashboardKey });
  }, [job, queryClient]);
  useEffect(() => {
    // Keeps the job ID in sessionStorage, because the page resumes the run after sign-in.
    if (errorStatus === 401) return redirectAfterSessionEnd();
    if (errorStatus !== 404) return;
    deleteJobId();
    endRun({ note: errorCodes.job_not_found.title });
  }, [errorStatus]);
  const said = describeMilestone(run, job);
  useEffect(() => {
    if (said) announce(said);
  }, [said]);
  const sending = useProcessor(isSending);
  useEffect(() => {
    setUnloadGuard('upload', sending);
    return () => setUnloadGuard('upload', false);
  }, [sending]);
  return { run, job };
}
