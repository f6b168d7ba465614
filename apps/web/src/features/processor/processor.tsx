import { useQuery } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { isFinalStatus } from '@uprez/contracts/policy/job-status';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import type { User } from '@uprez/contracts/schemas/user';
import { formatPercent } from '@uprez/contracts/texts/format';
import { mailPages } from '@uprez/contracts/texts/site/pages';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { whenIdle } from '../../lib/browser/when-idle.ts';
import { isImageStored, waitForImageRelease } from '../../lib/images/image-store.ts';
import { acceptedFileTypes, describeRejection } from '../../lib/images/rejection-reasons.ts';
import { type DropRejection, useDropArea } from '../../lib/images/use-drop-area.ts';
import { revealElement } from '../../lib/layout/reveal-element.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import type { CarriedFile } from '../../lib/session/carried-files.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';
import { isTextEntryTarget } from '../../lib/shortcuts/is-text-entry-target.ts';
import { useShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Spinner } from '../../ui/layout/logo-mark.tsx';
import { Workspace } from '../../ui/viewer/workspace.tsx';
import { useAbandonedRun } from './run/use-pending-run.ts';
import { chooseImage, openLeftJob, restoreImage } from './source/choose-image.ts';
import { DropOverlay, DropZone } from './source/drop-zone.tsx';
import { namePastedFile } from './source/pasted-file.ts';
import { dismissLeftJob, forgetLeftJob, type LeftJob, listLeftJobs } from './state/left-jobs.ts';
import { isBusy, type ProcessorState, useProcessor } from './state/processor-store.ts';
import { jobKey } from './state/run-storage.ts';

const text = messages.processor;

const Workbench = lazy(async () => ({ default: (await loadWorkbench()).Workbench }));

type ProcessorProps = {
  user: User | null;
  aside: ReactNode;
  /** Called when several files are chosen together. */
  onSeveral: (files: CarriedFile[]) => void;
};

export function Processor({ user, aside, onSeveral }: ProcessorProps) {
  const { image, restoring, rejections } = useProcessor();
  const busy = useProcessor(isBusy);
  const isRestored = useProcessor(({ run }) => run.phase === 'following' && run.isRestored === true);
  const maxBytes = planOfUser(user).uploadBytes.web;
  const input = useImageInput({ busy: busy && !isRestored, maxBytes, onSeveral });
  const place = useProcessorFocus();
  useAbandonedRun(user);
  useEffect(() => void restoreImage(), []);
  // Preloads the code that a chosen image needs.
  useEffect(() => whenIdle(() => void loadWorkbench()), []);
  useShortcut('upload', input.open, !busy);
  return (
    <>
      <input {...input.inputProps} aria-label={text.file} />
      <DropOverlay dragging={input.dragging} rootProps={input.rootProps} state={input.state} />
      <div ref={place} tabIndex={-1} className="grid scroll-mt-12 outline-none grid-cols-[minmax(0,1fr)] gap-4">
        <Rejections rejections={rejections} maxBytes={maxBytes} />
        {!image && !restoring && <LeftJobOffer user={user} />}
        {image ? (
          <Suspense fallback={<Workspace image={image} panel={<Spinner label={messages.session.loading} />} />}>
            <Workbench image={image} user={user} />
          </Suspense>
        ) : restoring ? (
          <div className="grid min-h-96 place-items-center">
            <Spinner label={messages.session.loading} />
          </div>
        ) : (
          <div className="grid gap-4 lg:grid-cols-2 lg:gap-6">
            <DropZone state={input.state} buttonProps={input.buttonProps} onFiles={input.offer} maxBytes={maxBytes} />
            {aside}
          </div>
        )}
      </div>
    </>
  );
}

const leftText = messages.processor.left;

const pollMs = 5_000;

/** Returns the message that offers to reopen a job from a closed tab. Undefined if the job has nothing to reopen. */
function describeLeftJob({ filename, status, progress }: Job): string | undefined {
  if (status === 'queued') return leftText.queued(filename);
  if (status === 'processing') return leftText.processing(filename, formatPercent(progress));
  return status === 'completed' ? leftText.completed(filename) : undefined;
}

/**
 * Returns the newest job in this browser that no open tab is showing, and a function that removes a job from the list.
 */
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
      void waitForImageRelease(job.imageKey, stop.signal)
        .then(() => isImageStored(job.imageKey))
        // Drops jobs without a stored source image, because their results can't be opened here. Recent Activity still
        // lists them.
        .then(
          (isStored) => (isStored ? add(job) : forgetLeftJob(job.jobId)),
          () => {},
        );
    return () => stop.abort();
  }, []);
  const drop = ({ jobId }: LeftJob) => setLeft((all) => all.filter((one) => one.jobId !== jobId));
  return { job: left[0], drop };
}

/** Rendered only while no image is open. */
function LeftJobOffer({ user }: { user: User | null }) {
  const { job: left, drop } = useLeftJobs();
  const { data: job, error } = useQuery<Job>({
    queryKey: jobKey(left?.jobId),
    enabled: left !== undefined && user !== null,
    refetchInterval: ({ state: { data, error } }) => (error || (data && isFinalStatus(data.status)) ? false : pollMs),
  });
  const sentence = user ? job && describeLeftJob(job) : leftText.ended;
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
              {job?.status === 'completed' ? leftText.result : leftText.open}
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
            {leftText.dismiss}
          </Button>
        </span>
      </div>
    </Notice>
  );
}

type RejectionsProps = { rejections: readonly DropRejection[]; maxBytes: number };

function Rejections({ rejections, maxBytes }: RejectionsProps) {
  if (rejections.length === 0) return null;
  return (
    <Notice kind="danger">
      <ul className="grid gap-2">
        {rejections.map((rejection, index) => (
          <li key={index}>
            <p className="verbatim font-medium">{rejection.file.name}</p>
            <p className="text-muted">{describeRejection(rejection, { maxBytes })}</p>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const hasNewImage = (now: ProcessorState, before: ProcessorState) =>
  now.image !== undefined && now.image !== before.image && !before.restoring;

/** False for restored images, because the page shouldn't scroll on load. */
const needsReveal = (now: ProcessorState, before: ProcessorState) =>
  hasNewImage(now, before) || (now.rejections.length > 0 && now.rejections !== before.rejections);

const hasViewChanged = (now: ProcessorState, before: ProcessorState) =>
  !before.restoring && (now.run.phase !== before.run.phase || !now.image !== !before.image);

/**
 * Scrolls the container into view after the user chooses an image, and focuses it if the focused element was removed.
 */
function useProcessorFocus() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      useProcessor.subscribe((now, before) => {
        // Waits until the new content is rendered.
        requestAnimationFrame(() => {
          if (needsReveal(now, before)) revealElement(place.current);
          const isLost = document.activeElement === document.body;
          // After a paste, the focus may be anywhere on the page.
          const isElsewhere = hasNewImage(now, before) && !place.current?.contains(document.activeElement);
          if ((hasViewChanged(now, before) && isLost) || isElsewhere) place.current?.focus({ preventScroll: true });
        });
      }),
    [],
  );
  return place;
}

const loadWorkbench = () => import('./workbench.tsx');

/** A file from a dropped folder has a `relativePath`. */
type FileWithPath = File & { relativePath?: string };

const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

/**
 * Returns the number of files that are being dragged over the window. Calls `onDrop` for files dropped outside the
 * overlay.
 */
function useWindowDrag(busy: boolean, onDrop: (files: FileList) => void): number {
  const [dragging, setDragging] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const on = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
      window.addEventListener(name, (event) => carriesFiles(event) && listener(event), { signal: stop.signal });
    on('dragenter', ({ dataTransfer }) => setDragging(busy ? 0 : (dataTransfer?.items.length ?? 1)));
    on('dragover', (event) => event.preventDefault());
    // `relatedTarget` is null only when the pointer leaves the window.
    on('dragleave', ({ relatedTarget }) => relatedTarget === null && setDragging(0));
    on('drop', (event) => {
      setDragging(0);
      if (event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) onDrop(event.dataTransfer.files);
    });
    return () => stop.abort();
  }, [busy, onDrop]);
  return dragging;
}

type ImageInputOptions = {
  /** Whether a run is using the image. If so, new files aren't opened. */
  busy: boolean;
  /** Maximum file size of the plan, in bytes. */
  maxBytes: number;
  /** Called when several images are chosen, dropped, or pasted. Accepted files come before rejected files. */
  onSeveral: (files: CarriedFile[]) => void;
};

const toCarriedFile = (file: FileWithPath, reason?: string): CarriedFile => ({
  file,
  name: file.name,
  size: file.size,
  relativePath: file.relativePath ?? file.name,
  reason,
});

function useImageInput({ busy, maxBytes, onSeveral }: ImageInputOptions) {
  const area = useDropArea({
    accept: acceptedFileTypes,
    minSize: 1,
    maxSize: maxBytes,
    multiple: true,
    takesBeside: true,
    onDrop: (accepted, rejections) => {
      if (busy) return void showToast({ ...messages.processor.busy, destructive: true });
      const [file] = accepted;
      if (accepted.length > 1)
        onSeveral([
          ...accepted.map((image) => toCarriedFile(image)),
          ...rejections.map((rejection) => toCarriedFile(rejection.file, describeRejection(rejection, { maxBytes }))),
        ]);
      else if (file) void chooseImage(file, rejections);
      else useProcessor.setState({ rejections });
    },
  });
  const { offer } = area;
  const dragging = useWindowDrag(busy, offer);
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || isTextEntryTarget(event.target)) return;
      event.preventDefault();
      offer(files.map((file) => namePastedFile(file, new Date())));
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  }, [offer]);
  return { ...area, dragging };
}
