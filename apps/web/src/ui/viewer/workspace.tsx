import clsx from 'clsx';
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react';
import { formatSize, type Size } from '../../lib/format/format.ts';
import { isDisplayable } from '../../lib/images/image-size.ts';
import { revealElement } from '../../lib/layout/reveal-element.ts';
import { messages } from '../../messages.ts';
import { LogoMark } from '../layout/logo-mark.tsx';

const text = messages.processor;

type PreviewProps = {
  /** `size`: undefined if it is unknown. `hiddenFormat`, `damagedFormat`: see `readHiddenImage`. */
  image: { source: Pick<File, 'name'>; url: string; size?: Size; hiddenFormat?: string; damagedFormat?: string };
  /** Why the image isn't shown. Replaces the default message if the size is unknown. */
  noPreview?: string | undefined;
  /** Progress of the job from 0 to 100; undefined for no overlay. */
  done?: number | undefined;
  overlay?: ReactNode;
  /** Color behind transparent areas, instead of a checkerboard. */
  backdrop?: string | undefined;
};

const fullSizeStyle = ({ width, height }: Size): CSSProperties => ({
  aspectRatio: `${width} / ${height}`,
  width: `min(100%, (var(--stage-height) - 2px - 1.5rem) * ${width / height})`,
});

function describeMissingImage({ size, hiddenFormat, damagedFormat }: PreviewProps['image']): string {
  if (damagedFormat) return text.damaged(damagedFormat);
  if (hiddenFormat) return text.hidden(hiddenFormat, size && formatSize(size));
  return size ? text.tooLarge : text.noPreview;
}

export function Preview({ image, noPreview, done, overlay, backdrop }: PreviewProps) {
  const { size, hiddenFormat } = image;
  return (
    <div className="grid size-full place-items-center p-3">
      {size && !hiddenFormat && isDisplayable(size) ? (
        <div
          className="checkerboard relative overflow-hidden"
          style={{ ...fullSizeStyle(size), ...(backdrop && { background: backdrop }) }}
        >
          <img src={image.url} alt={text.preview(image.source.name)} decoding="async" className="block size-full" />
          {overlay}
          <div
            data-veil={done}
            className="absolute inset-0 bg-veil transition-[transform,opacity] motion-reduce:transform-none!"
            style={done === undefined ? { opacity: 0 } : { transform: `translateY(${done}%)`, opacity: 1 - done / 400 }}
          />
        </div>
      ) : (
        <div className="grid max-w-72 justify-items-center gap-3 text-center text-muted text-sm">
          <LogoMark className="size-10" />
          {size ? describeMissingImage(image) : (noPreview ?? describeMissingImage(image))}
        </div>
      )}
    </div>
  );
}

type WorkspaceProps = PreviewProps & {
  result?: ReactNode;
  panel: ReactNode;
  /** A change scrolls the workspace into view. */
  phase?: string;
};

export function Workspace({ result, panel, phase, ...preview }: WorkspaceProps) {
  const table = useRef<HTMLElement>(null);
  const shown = useRef(phase);
  useEffect(() => {
    if (phase === shown.current) return;
    shown.current = phase;
    revealElement(table.current);
  }, [phase]);
  return (
    <section
      ref={table}
      aria-label={text.region}
      className="grid scroll-mt-12 grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_21rem] lg:gap-6"
    >
      <div
        className={clsx(
          'h-(--stage-height) overflow-hidden rounded-card border border-line bg-stage lg:sticky lg:top-20 lg:[--stage-height:max(24rem,calc(100svh-8.5rem))]',
          result ? '[--stage-height:max(18rem,52svh)]' : '[--stage-height:max(12rem,32svh)]',
        )}
      >
        {result ?? <Preview {...preview} />}
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5 rounded-card border border-line bg-surface p-4 lg:sticky lg:top-20 lg:max-h-[max(24rem,calc(100svh-8.5rem))] lg:overflow-y-auto lg:p-5">
        {panel}
      </div>
    </section>
  );
}
