import clsx from 'clsx';
import { type ReactNode, Suspense, use, useState } from 'react';
import type { Size } from '../../lib/format/format.ts';
import { useHeldShortcut, useShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { messages } from '../../messages.ts';
import { CompareSlider, type LabelText, LayerLabel } from './compare-slider.tsx';
import { DifferenceLayer } from './difference-layer.tsx';
import { locateDetail } from './find-detail.ts';
import { ImageLayer } from './image-layer.tsx';
import { useElementSize, useOpenedZoom } from './use-opened-zoom.ts';
import { ZoomSurface } from './zoom.tsx';
import { type View, ZoomToolbar } from './zoom-toolbar.tsx';

type Side = { url: string; label: LabelText };
type Sides = { before: Side; after: Side /** Size of `after`; zoom percentages refer to it. */; size: Size };

const text = messages.viewer;
const region = 'Before and after';
/** In pixels, as in the preview. */
const margin = 12;
/** On a narrower screen, a part at 1:1 tells too little. */
const narrow = 480;

function paneOf({ width, height }: Size, isSplit: boolean): Size {
  if (!isSplit) return { width, height };
  return width >= height ? { width: width / 2, height } : { width, height: height / 2 };
}

type ImageViewerProps = Sides & {
  /** Shown until the images can be compared. */
  waiting?: ReactNode;
};

/** Compares two images with a divider, side by side, or by their difference. Divider and labels are not zoomed. */
export function ImageViewer({ waiting, ...sides }: ImageViewerProps) {
  return (
    <Suspense fallback={waiting}>
      <Viewer {...sides} />
    </Suspense>
  );
}

function Viewer({ before, after, size }: Sides) {
  const detail = use(locateDetail(before.url, size));
  const { ref, box } = useElementSize();
  const [view, setView] = useState<View>('divider');
  const [isPressed, setPressed] = useState(false);
  const isSplit = view === 'split';
  const { zoom, base, place } = useOpenedZoom(
    { ref, pane: box && paneOf(box, isSplit), size, margin, opensWhole: box && box.width < narrow },
    detail,
  );
  const showsBefore = useHeldShortcut('compare', !isSplit) || isPressed;
  const layers = {
    before: <ImageLayer image={{ url: before.url, alt: text.before }} place={place} />,
    after: <ImageLayer image={{ url: after.url, alt: text.after }} place={place} />,
  };
  const surface = (index: number) => (
    <ZoomSurface ref={zoom.register(index)} base={base} scale={zoom.scale} onTransform={zoom.follow} />
  );
  const toggle = (other: View) => {
    // The panes of both sides have another size.
    if (isSplit || other === 'split') zoom.reset();
    setView(view === other ? 'divider' : other);
  };
  useShortcut('difference', () => toggle('difference'));
  return (
    <section ref={ref} aria-label={region} className="relative size-full overflow-hidden">
      {box && isSplit && (
        <div className={clsx('flex size-full gap-0.5 bg-line', box.width < box.height && 'flex-col')}>
          {[before, after].map((side, index) => (
            <div key={side.url} className="relative min-h-0 min-w-0 flex-1 bg-stage">
              {surface(index)}
              <div className="pointer-events-none absolute inset-0">{index === 0 ? layers.before : layers.after}</div>
              <LayerLabel {...side.label} side="left" alone />
            </div>
          ))}
        </div>
      )}
      {box && !isSplit && (
        <>
          {surface(0)}
          <div className="pointer-events-none absolute inset-0 isolate">
            {view === 'difference' ? (
              <DifferenceLayer before={before.url} after={after.url} size={size} place={place} />
            ) : (
              <CompareSlider
                passThrough
                before={layers.before}
                after={layers.after}
                beforeLabel={before.label}
                afterLabel={after.label}
              />
            )}
          </div>
          {showsBefore && (
            <div className="pointer-events-none absolute inset-0 bg-stage">
              {layers.before}
              <LayerLabel {...before.label} side="left" alone />
            </div>
          )}
        </>
      )}
      {box && (
        <ZoomToolbar
          percent={zoom.percent}
          onZoom={zoom.zoomTo}
          onFit={zoom.fitAll}
          onPan={zoom.panBy}
          view={view}
          onToggle={toggle}
          onHold={setPressed}
        />
      )}
    </section>
  );
}
