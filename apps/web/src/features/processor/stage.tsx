import type { Job } from '@uprez/contracts/job';
import clsx from 'clsx';
import { lazy, Suspense, useState } from 'react';
import { canShow } from '../../lib/can-show.ts';
import { formatBytes, formatSize } from '../../lib/format.ts';
import { messages } from '../../messages.ts';
import { LogoMark } from '../../ui/logo-mark.tsx';
import type { Picture } from './picture.ts';

const text = messages.processor;
const PictureViewer = lazy(async () => ({ default: (await import('../../ui/picture-viewer.tsx')).PictureViewer }));

type StageProps = {
  picture: Picture;
  /** Share of the work done, 0-100, while there is a run; absent: no veil. */
  done?: number | undefined;
  job?: Job | undefined;
};

/** The chosen picture; the veil over it lifts with the share of tiles done. */
function Preview({ picture, done }: { picture: Picture; done: number | undefined }) {
  return (
    <div className="grid size-full place-items-center p-3">
      {picture.size ? (
        <div className="checkerboard relative overflow-hidden">
          <img
            src={picture.url}
            alt={text.preview(picture.file.name)}
            className="block max-h-[calc(var(--stage-height)-1.5rem)] max-w-full"
          />
          <div
            data-veil={done}
            className="absolute inset-0 bg-veil transition-[transform,opacity] motion-reduce:transform-none!"
            style={done === undefined ? { opacity: 0 } : { transform: `translateY(${done}%)`, opacity: 1 - done / 400 }}
          />
        </div>
      ) : (
        <div className="grid justify-items-center gap-3 text-muted text-sm">
          <LogoMark className="size-10" />
          {text.noPreview}
        </div>
      )}
    </div>
  );
}

/** A picture alone, as large as the table allows. */
function Still({ url, alt }: { url: string; alt: string }) {
  return (
    <div className="grid size-full place-items-center p-3">
      <img src={url} alt={alt} className="checkerboard max-h-[calc(var(--stage-height)-1.5rem)] max-w-full" />
    </div>
  );
}

function Result({ picture, job }: { picture: Picture; job: Job }) {
  // The link is renewed now and then; the picture on the screen need not be loaded again.
  const [url] = useState(job.downloadUrl);
  const { originalSize, processedSize } = job;
  if (!url || !processedSize || !canShow(processedSize)) return <Preview picture={picture} done={undefined} />;
  if (!picture.size) return <Still url={url} alt={text.result} />;
  const label = (name: string, size: typeof originalSize) => ({
    name,
    facts: `${formatSize(size)} · ${formatBytes(size.fileSize)}`,
  });
  return (
    <Suspense fallback={<Preview picture={picture} done={undefined} />}>
      <PictureViewer
        before={{ url: picture.url, label: label(text.original, originalSize) }}
        after={{ url, label: label(job.scaleFactor > 1 ? text.upscaled : text.result, processedSize) }}
        size={processedSize}
      />
    </Suspense>
  );
}

/** The light table: the picture before, while and after it is worked on. */
export function Stage({ picture, done, job }: StageProps) {
  return (
    <div
      className={clsx(
        'h-(--stage-height) overflow-hidden rounded-card border border-line bg-stage lg:[--stage-height:min(38rem,calc(100svh-9rem))]',
        job ? '[--stage-height:max(16rem,48svh)]' : '[--stage-height:max(12rem,32svh)]',
      )}
    >
      {job ? <Result key={job.id} picture={picture} job={job} /> : <Preview picture={picture} done={done} />}
    </div>
  );
}
