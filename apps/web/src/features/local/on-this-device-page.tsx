import { inputExtensions } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { formatBytes, formatPercent } from '@uprez/contracts/texts/format';
import { Download, ReceiptText } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { formatCaption } from '../../lib/format/caption.ts';
import { formatEstimate, formatSize } from '../../lib/format/format.ts';
import { useRemainingTime } from '../../lib/format/time-estimator.ts';
import { isDisplayable } from '../../lib/images/image-size.ts';
import { describeRejection } from '../../lib/images/rejection-reasons.ts';
import { useFocusOnMount } from '../../lib/layout/focus.ts';
import { useShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { documentTitle, messages } from '../../messages.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { DropArea } from '../../ui/controls/drop-area.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { Spinner } from '../../ui/layout/logo-mark.tsx';
import { PageHeading } from '../../ui/layout/page-heading.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { FidelityNote } from '../../ui/receipt/fidelity-note.tsx';
import { listReceiptFacts, ReceiptDetails } from '../../ui/receipt/receipt-dialogs.tsx';
import { ReceiptLine } from '../../ui/receipt/receipt-line.tsx';
import { ImageName } from '../../ui/viewer/image-name.tsx';
import { NextSteps } from '../../ui/viewer/next-steps.tsx';
import { Preview, Workspace } from '../../ui/viewer/workspace.tsx';
import { localMessages as text } from './messages.ts';
import { cancelLocalRun } from './run/run-locally.ts';
import { chooseLocalImage, removeLocalImage, restoreLocalImage } from './source/choose-local-image.ts';
import { endLocalRun, type LocalImage, type LocalRun, useLocal } from './state/local-store.ts';
import { LocalForm } from './view/local-form.tsx';

/** Page that processes images in the browser. It is separate because its document is cross-origin isolated. */
export function OnThisDevicePage() {
  return (
    <div className="mx-auto grid w-full max-w-300 grid-cols-[minmax(0,1fr)] content-start gap-6 px-4 py-8 sm:px-6 md:py-12">
      <div className="grid gap-2">
        <PageHeading title={documentTitle(text.heading)} className="text-xl sm:text-2xl">
          {text.heading}
        </PageHeading>
        <p className="max-w-prose text-balance text-muted">{text.lead}</p>
      </div>
      <LocalProcessor />
    </div>
  );
}

/** Lists file extensions, because some systems don't know the media type of a file. */
const acceptedTypes = { 'image/*': Object.values(inputExtensions).flat() };

const fileConstraints = { maxBytes: limits.uploadBytes, unsupported: text.unsupported };

function LocalProcessor() {
  const { image, restoring, rejections } = useLocal();
  useEffect(() => void restoreLocalImage(), []);
  if (image) return <LocalWorkbench image={image} />;
  if (restoring)
    return (
      <div className="grid min-h-96 place-items-center">
        <Spinner label={messages.session.loading} />
      </div>
    );
  return (
    <div className="grid gap-4">
      {rejections.map((rejection) => (
        <Notice key={rejection.file.name} kind="danger">
          <p className="verbatim font-medium">{rejection.file.name}</p>
          <p className="text-muted">{describeRejection(rejection, fileConstraints)}</p>
        </Notice>
      ))}
      <DropArea
        label={text.choose}
        accept={acceptedTypes}
        minSize={1}
        maxSize={limits.uploadBytes}
        multiple={false}
        onDrop={([file], next) => (file ? void chooseLocalImage(file) : useLocal.setState({ rejections: next }))}
      >
        {text.chooseHint}
      </DropArea>
    </div>
  );
}

const ImageViewer = lazy(async () => ({
  default: (await import('../../ui/viewer/image-viewer.tsx')).ImageViewer,
}));

function ResultView({ image, run }: { image: LocalImage; run: Extract<LocalRun, { phase: 'done' }> }) {
  const { receipt, url } = run;
  if (!isDisplayable(receipt)) return <Preview image={image} />;
  const label = (name: string, size: { width: number; height: number }, bytes: number) => ({
    name,
    facts: `${formatSize(size)} · ${formatBytes(bytes)}`,
  });
  return (
    <Suspense fallback={<Preview image={image} />}>
      <ImageViewer
        before={{ url: image.url, label: label(text.original, receipt.source, receipt.source.sizeBytes) }}
        after={{ url, label: label(text.result, receipt, receipt.sizeBytes) }}
        size={receipt}
        waiting={<Preview image={image} />}
      />
    </Suspense>
  );
}

function LocalWorkbench({ image }: { image: LocalImage }) {
  const { run } = useLocal();
  return (
    <Workspace
      image={image}
      noPreview={text.noPreview}
      phase={run.phase}
      done={run.phase === 'running' ? 100 * run.share : undefined}
      result={run.phase === 'done' ? <ResultView key={run.url} image={image} run={run} /> : undefined}
      panel={
        <>
          <ImageName
            name={image.source.name}
            facts={[...(image.size ? [formatSize(image.size)] : []), formatBytes(image.source.size)]}
            removeLabel={text.remove}
            onRemove={() => void removeLocalImage()}
          />
          {run.phase === 'done' ? (
            <LocalResultPanel image={image} run={run} />
          ) : run.phase === 'running' ? (
            <LocalProgress {...run} />
          ) : (
            <LocalForm image={image} />
          )}
        </>
      }
    />
  );
}

type LocalProgressProps = { share: number; plannedSeconds: number };

function LocalProgress({ share, plannedSeconds }: LocalProgressProps) {
  // Focuses the section instead of the button. If the button had the focus, a key that is still pressed could cancel
  // the run.
  const place = useFocusOnMount<HTMLElement>();
  const seconds = useRemainingTime(share, plannedSeconds);
  const percent = Math.floor(100 * share);
  const shown = formatPercent(percent);
  return (
    <section ref={place} tabIndex={-1} aria-label={text.progress} className="grid gap-4 outline-none">
      <ProgressBar
        label={text.processing}
        percent={percent}
        valueText={seconds === undefined ? shown : text.left(shown, formatEstimate(seconds))}
      />
      <p className="text-muted text-sm">{text.facts}</p>
      <Button look="secondary" size="wide" onClick={cancelLocalRun}>
        {text.cancel}
      </Button>
    </section>
  );
}

type FinishedRun = Extract<LocalRun, { phase: 'done' }>;

function LocalResultPanel({ image, run }: { image: LocalImage; run: FinishedRun }) {
  const heading = useFocusOnMount<HTMLHeadingElement>();
  const download = useRef<HTMLAnchorElement>(null);
  const [isOpen, setOpen] = useState(false);
  useShortcut('download', () => download.current?.click());
  const { receipt, url, name } = run;
  const { source } = receipt;
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
          {text.done}
        </h2>
        <p className="text-muted text-sm tabular-nums">
          <ReceiptLine
            text={formatCaption({
              originalSize: { ...source, fileSize: source.sizeBytes },
              processedSize: { width: receipt.width, height: receipt.height, fileSize: receipt.sizeBytes },
              processingTimeMs: Object.values(receipt.stagesMs).reduce((sum, ms) => sum + ms, 0),
              engine: receipt.engine,
            })}
          />
        </p>
        <p className="text-muted text-sm">{text.facts}</p>
      </div>
      <a ref={download} href={url} download={name} className={buttonStyle({ size: 'wide' })}>
        <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.download}
      </a>
      <Button look="secondary" size="wide" onClick={() => setOpen(true)}>
        <ReceiptText aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.receipt}
      </Button>
      {receipt.fidelity && <FidelityNote score={receipt.fidelity.score} />}
      {isOpen && (
        <Dialog
          open
          onOpenChange={() => setOpen(false)}
          title={text.receiptTitle}
          description={text.receiptText(image.source.name)}
          wide
        >
          <ReceiptDetails facts={listReceiptFacts(receipt)} receipt={receipt} filename={`receipt-${name}.json`} />
        </Dialog>
      )}
      <NextSteps text={text} onChangeSettings={() => endLocalRun()} onStartOver={() => void removeLocalImage()} />
    </div>
  );
}
