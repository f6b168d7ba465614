import { findFreeNote } from '@uprez/contracts/policy/free-jobs';
import { engineNames } from '@uprez/contracts/policy/images/engines';
import {
  factorRange,
  formatNames,
  formatTraits,
  type OutputFormat,
  outputFormats,
} from '@uprez/contracts/policy/images/image-formats';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Engine } from '@uprez/contracts/schemas/jobs/estimate';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import type { User } from '@uprez/contracts/schemas/user';
import { formatBytes } from '@uprez/contracts/texts/format';
import { ChevronDown, Clock, Copy, Download, ReceiptText, Share2, Trash2 } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { dashboardKey, useEngines } from '../../../lib/api/queries.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { makeSiteEngines } from '../../../lib/api/site-engines.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { canCopyImages, copyImage } from '../../../lib/browser/clipboard.ts';
import { useNow } from '../../../lib/browser/use-now.ts';
import { formatCaption } from '../../../lib/format/caption.ts';
import { formatTimeLeft } from '../../../lib/format/format.ts';
import { isDisplayable, isResultDisplayable } from '../../../lib/images/image-size.ts';
import { useFocusOnMount } from '../../../lib/layout/focus.ts';
import { dismissToasts, showToast } from '../../../lib/notifications/toast-store.ts';
import { planOfUser } from '../../../lib/session/plan-of-user.ts';
import { redirectAfterSessionEnd } from '../../../lib/session/redirect-to-sign-in.ts';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { FidelityNote } from '../../../ui/receipt/fidelity-note.tsx';
import { ReceiptLine } from '../../../ui/receipt/receipt-line.tsx';
import { recipeMessages } from '../../../ui/recipe/messages.ts';
import { isEngineAvailable, isLossless } from '../../../ui/recipe/recipe-settings.ts';
import { NextSteps } from '../../../ui/viewer/next-steps.tsx';
import { processorMessages as text } from '../messages.ts';
import { processImage } from '../run/process-image.ts';
import { removeImage } from '../source/choose-image.ts';
import { endRun, useProcessor } from '../state/processor-store.ts';
import { deleteJobId, jobKey } from '../state/run-storage.ts';
import { fitSettings, isAccepted, losslessSettingsOf, type Settings, useSettings } from '../state/settings-store.ts';
import { useTransparency } from '../state/use-transparency.ts';
import { isLargerFile, repairSettingsOf } from './repair.ts';

export function ResultPanel({ job, user }: { job: Job; user: User | null }) {
  const heading = useFocusOnMount<HTMLHeadingElement>();
  const download = useRef<HTMLAnchorElement>(null);
  useShortcut('download', () => download.current?.click());
  const free = findFreeNote(job.notes);
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
          {text.done}
        </h2>
        <p className="text-muted text-sm tabular-nums">
          <ReceiptLine text={formatCaption(job)} />
        </p>
      </div>
      {job.downloadUrl && (
        <div className="grid gap-2">
          <a ref={download} href={job.downloadUrl} download className={buttonStyle({ size: 'wide' })}>
            <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
            {text.download}
          </a>
          {job.processedSize && isResultDisplayable(job.format, job.processedSize) && (
            <CopyResult url={job.downloadUrl} />
          )}
        </div>
      )}
      <HiddenNote job={job} />
      {free && <Notice kind="info">{free}</Notice>}
      {user && isLargerFile(job) && <LargerNotice job={job} ownPlan={planOfUser(user)} />}
      {job.fidelity !== null && <FidelityNote score={job.fidelity} />}
      <Expiry job={job} />
      {user && <RunAgain job={job} ownPlan={planOfUser(user)} />}
      <NextSteps text={text} onChangeSettings={changeSettings} onStartOver={() => void removeImage()} />
    </div>
  );
}

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../ui/overlays/confirm-dialog.tsx')).ConfirmDialog,
}));

const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }));

const JobReceiptDialog = lazy(async () => ({
  default: (await import('../../../ui/receipt/receipt-dialogs.tsx')).JobReceiptDialog,
}));

async function copyResultImage(url: string) {
  try {
    await copyImage(url);
    showToast({ title: text.copied });
  } catch {
    showToast({ title: text.copyFailed, description: text.copyUnknown, destructive: true });
  }
}

function CopyResult({ url }: { url: string }) {
  if (!canCopyImages()) return null;
  return (
    <Button look="secondary" size="wide" onClick={() => void copyResultImage(url)}>
      <Copy aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.copy}
    </Button>
  );
}

function ResultActions({ job }: { job: Job }) {
  const [dialog, setDialog] = useState<'receipt' | 'share' | 'deletion'>();
  const close = () => setDialog(undefined);
  const deletion = useResourceMutation({
    call: async () => (await api.deleteJob({ params: { id: job.id } })).data,
    onSuccess: (data) => {
      deleteJobId();
      const deletion = 'objects' in data ? { receipt: data, filename: job.filename } : undefined;
      endRun({ note: text.deleted, deletion });
      queryClient.removeQueries({ queryKey: jobKey(job.id) });
      return queryClient.invalidateQueries({ queryKey: dashboardKey });
    },
    onError: (error) => hasErrorCode(error, 'not_signed_in') && redirectAfterSessionEnd(),
    errorTitle: text.deleteFailed,
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="secondary" size="small" onClick={() => setDialog('share')}>
        <Share2 aria-hidden="true" strokeWidth={1.75} className="size-3.5" />
        {text.share.open}
      </Button>
      <Button look="secondary" size="small" onClick={() => setDialog('receipt')}>
        <ReceiptText aria-hidden="true" strokeWidth={1.75} className="size-3.5" />
        {text.receipt}
      </Button>
      <Button look="danger" size="small" onClick={() => setDialog('deletion')}>
        <Trash2 aria-hidden="true" strokeWidth={1.75} className="size-3.5" />
        {text.deleteNow}
      </Button>
      <Suspense>
        {dialog === 'share' && job.expiresAt && (
          <ShareDialog job={{ ...job, expiresAt: job.expiresAt }} onClose={close} />
        )}
        {dialog === 'receipt' && <JobReceiptDialog job={job} onClose={close} />}
        {dialog === 'deletion' && (
          <ConfirmDialog
            open
            onOpenChange={close}
            title={text.deleteTitle}
            text={text.deleteText}
            confirm={text.deleteConfirm}
            onConfirm={() => deletion.mutate()}
            pending={deletion.isPending}
          />
        )}
      </Suspense>
    </div>
  );
}

const countdownTickMs = 30_000;

function changeSettings() {
  deleteJobId();
  endRun();
}

function Expiry({ job }: { job: Job }) {
  const left = job.expiresAt && formatTimeLeft(job.expiresAt, useNow(countdownTickMs));
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      {left && (
        <p className="flex items-center gap-2 text-muted text-sm">
          <Clock aria-hidden="true" strokeWidth={1.5} className="size-4" />
          {text.deletedIn(left)}
        </p>
      )}
      <ResultActions job={job} />
    </div>
  );
}

function HiddenNote({ job: { format, processedSize } }: { job: Job }) {
  if (!formatTraits[format].shown) return <Notice kind="info">{text.hiddenFormat(formatNames[format])}</Notice>;
  return processedSize && !isDisplayable(processedSize) && <Notice kind="info">{text.tooLargeToShow}</Notice>;
}

function rerun(settings: Settings, change: Partial<Settings>) {
  dismissToasts();
  useSettings.setState(change);
  void processImage({ ...settings, ...change });
}

type AgainProps = { job: Job; ownPlan: Plan };

function useFittedSettings(ownPlan: Plan): Settings {
  const { data: engines } = useEngines();
  return fitSettings(useSettings(), { ownPlan, signedIn: true, engines });
}

const formatOfRepair = ({ format }: Partial<Settings>, job: Job) =>
  format === undefined || format === 'auto' ? job.format : format;

function LargerNotice({ job, ownPlan }: AgainProps) {
  const settings = useFittedSettings(ownPlan);
  const image = useProcessor((state) => state.image);
  const { originalSize, processedSize } = job;
  if (!processedSize) return null;
  const change = repairSettingsOf(job, settings);
  // A lossless result has no quality that could be reduced.
  const isReducible =
    !change.targetBytes || (image && !isLossless(losslessSettingsOf(settings, image), formatOfRepair(change, job)));
  return (
    <Notice kind="warning">
      <p>{text.larger(formatBytes(processedSize.fileSize), formatBytes(originalSize.fileSize))}</p>
      {isReducible && (
        <Button look="secondary" size="small" className="mt-2" onClick={() => rerun(settings, change)}>
          {text.repair}
        </Button>
      )}
    </Notice>
  );
}

/**
 * Returns a function that labels a format. The label names the animation or transparency that the format would drop,
 * because the user chooses it before the next run starts.
 */
function useFormatLabel() {
  const image = useProcessor((state) => state.image);
  const losesTransparency = useTransparency(image, 'jpeg');
  return (format: OutputFormat) => {
    const traits = formatTraits[format];
    if (image?.frames && !traits.animated) return text.firstFrameOnly(formatNames[format]);
    return losesTransparency && !traits.alpha ? text.opaque(formatNames[format]) : formatNames[format];
  };
}

type Choice = { label: string; change: Partial<Settings> };

function ChoiceMenu({ name, settings, choices }: { name: string; settings: Settings; choices: readonly Choice[] }) {
  if (choices.length === 0) return null;
  return (
    <Menu
      label={`${text.again} ${name}`}
      trigger={
        <Button look="secondary" size="small" className="min-w-0 grow">
          {name}
          <ChevronDown aria-hidden="true" strokeWidth={1.75} className="size-3.5" />
        </Button>
      }
      items={choices.map(({ label, change }) => ({ label, onSelect: () => rerun(settings, change) }))}
    />
  );
}

function RunAgain({ job, ownPlan }: AgainProps) {
  const { data: engines } = useEngines();
  const image = useProcessor((state) => state.image);
  const settings = useFittedSettings(ownPlan);
  const formatLabel = useFormatLabel();
  if (!image) return null;
  // The browser can't read the size of some images.
  const sized = { ...image, size: image.size ?? job.originalSize };
  const options = { ownPlan, engines: engines && makeSiteEngines(engines) };
  const isOffered = ({ change }: Choice) => isAccepted({ ...settings, ...change }, sized, options);
  const factors = Array.from({ length: factorRange.webMax }, (_, index) => index + 1);
  return (
    <div className="grid gap-2 border-line border-t pt-4">
      <p className="text-sm">{text.again}</p>
      <div className="flex flex-wrap gap-2">
        <ChoiceMenu
          name={text.againEngine}
          settings={settings}
          choices={(engines ?? engineNames.map((name): Pick<Engine, 'name' | 'custom'> => ({ name })))
            .filter(({ name }) => name !== job.engine && isEngineAvailable(name, engines))
            .map(({ name, custom }) => ({ label: custom?.title ?? name, change: { engine: name } }))
            .filter(isOffered)}
        />
        <ChoiceMenu
          name={text.againFactor}
          settings={settings}
          choices={factors
            .filter((factor) => factor !== job.scaleFactor)
            .map((scaleFactor) => ({
              label: recipeMessages.factor(scaleFactor),
              change: { scaleFactor, target: undefined },
            }))
            .filter(isOffered)}
        />
        <ChoiceMenu
          name={text.againFormat}
          settings={settings}
          choices={outputFormats
            .filter((format) => format !== job.format)
            .map((format) => ({ label: formatLabel(format), change: { format } }))
            .filter(isOffered)}
        />
      </div>
    </div>
  );
}
