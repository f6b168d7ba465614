import { formatBytes } from '@uprez/contracts/texts/format';
import { lazy, Suspense } from 'react';
import { formatSize } from '../../../lib/format/format.ts';
import { isDisplayable } from '../../../lib/images/image-size.ts';
import { ImageName } from '../../../ui/viewer/image-name.tsx';
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
