import { formatBytes } from '@uprez/contracts/texts/format';
import { X } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { formatSize } from '../../../lib/format/format.ts';
import { isDisplayable } from '../../../lib/images/image-size.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Preview, Workspace } from '../../../ui/viewer/workspace.tsx';
import { localMessages as text } from '../messages.ts';
import { removeLocalImage } from '../source/choose-local-image.ts';
import { type LocalImage, type LocalRun, useLocal } from '../state/local-store.ts';
import { LocalForm } from './local-form.tsx';
import { LocalProgress } from './local-progress.tsx';
import { LocalResultPanel } from './local-result.tsx';

const ImageViewer = lazy(async () => ({
  default: (await import('../../../ui/viewer/image-viewer.tsx')).ImageViewer,
}));

function ImageName({ image: { source, size } }: { image: LocalImage }) {
  const facts = [...(size ? [formatSize(size)] : []), formatBytes(source.size)].join(' · ');
  return (
    <div className="flex items-start gap-2">
      <div className="grid min-w-0 grow">
        <p className="truncate font-medium text-sm" title={source.name}>
          {source.name}
        </p>
        <p className="text-muted text-xs tabular-nums">{facts}</p>
      </div>
      <IconButton label={text.remove} icon={X} onClick={() => void removeLocalImage()} />
    </div>
  );
}

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

/** The image, and its options, progress, or result. */
export function LocalWorkbench({ image }: { image: LocalImage }) {
  const { run } = useLocal();
  return (
    <Workspace
      image={image}
      phase={run.phase}
      done={run.phase === 'running' ? 100 * run.share : undefined}
      result={run.phase === 'done' ? <ResultView key={run.url} image={image} run={run} /> : undefined}
      panel={
        <>
          <ImageName image={image} />
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
