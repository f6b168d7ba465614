import type { Job } from '@uprez/contracts/schemas/job';
import { formatBytes } from '@uprez/contracts/texts/format';
import { lazy, Suspense, useState } from 'react';
import { formatSize } from '../../../lib/format/format.ts';
import { isDisplayable } from '../../../lib/images/image-size.ts';
import { messages } from '../../../messages.ts';
import { processorMessages as text } from '../messages.ts';
import type { SourceImage } from '../state/image.ts';
import { Preview } from '../workspace.tsx';

const ImageViewer = lazy(async () => ({
  default: (await import('../../../ui/viewer/image-viewer.tsx')).ImageViewer,
}));

function Still({ url, alt }: { url: string; alt: string }) {
  return (
    <div className="grid size-full place-items-center p-3">
      <img src={url} alt={alt} className="checkerboard max-h-[calc(var(--stage-height)-1.5rem)] max-w-full" />
    </div>
  );
}

/** The result next to the original if both can be displayed, else the one that can. */
export function ResultView({ image, job }: { image: SourceImage; job: Job }) {
  // The download link is renewed regularly; the displayed image does not need to reload.
  const [url] = useState(job.downloadUrl);
  const { originalSize, processedSize } = job;
  if (!url || !processedSize || !isDisplayable(processedSize)) return <Preview image={image} />;
  if (!image.url || !image.size) return <Still url={url} alt={text.result} />;
  const label = (name: string, size: typeof originalSize) => ({
    name,
    facts: `${formatSize(size)} · ${formatBytes(size.fileSize)}`,
  });
  return (
    <Suspense fallback={<Preview image={image} />}>
      <ImageViewer
        before={{ url: image.url, label: label(messages.processor.original, originalSize) }}
        after={{ url, label: label(job.scaleFactor > 1 ? messages.processor.upscaled : text.result, processedSize) }}
        size={processedSize}
      />
    </Suspense>
  );
}
