import clsx from 'clsx';
import { useState } from 'react';
import type { Size } from '../../lib/format/format.ts';
import { fitInBox } from '../../lib/images/fit-in-box.ts';
import { useElementSize } from '../../lib/layout/use-element-size.ts';
import { useHeldShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { messages } from '../../messages.ts';
import { CompareSlider } from './compare-slider.tsx';
import { ImageLayer } from './image-layer.tsx';
import { type LabelText, LayerLabel } from './layer-label.tsx';
import { viewerMessages } from './messages.ts';
import { useZoom } from './use-zoom.ts';
import { ZoomSurface } from './zoom-surface.tsx';
import { ZoomToolbar } from './zoom-toolbar.tsx';

type Side = { url: string; label: LabelText };
type ImageViewerProps = { before: Side; after: Side /** Size of `after`; zoom percentages refer to it. */; size: Size };

const text = messages.viewer;
/** Margin around the unzoomed image in pixels, as in the preview. */
const margin = 12;

/** Size of a pane: the whole box, or half of its longer side. */
function paneOf({ width, height }: Size, isSplit: boolean): Size {
  if (!isSplit) return { width, height };
  return width >= height ? { width: width / 2, height } : { width, height: height / 2 };
}

/**
 * Compares two images with a divider or side by side. Zooms by wheel, pinch, double click, buttons, keys, and a typed
 * percentage. Gestures are handled by transparent surfaces; divider and labels are not scaled.
 */
export function ImageViewer({ before, after, size }: ImageViewerProps) {
  const { ref, box } = useElementSize<HTMLElement>();
  const [isSplit, setSplit] = useState(false);
  const [isPressed, setPressed] = useState(false);
  const pane = box && paneOf(box, isSplit);
  const { scale: base, ...place } = pane ? fitInBox(size, pane, margin) : { scale: 1 };
  const zoom = useZoom(ref, base);
  const showsBefore = useHeldShortcut('compare', !isSplit) || isPressed;
  const layers = {
    before: <ImageLayer url={before.url} alt={text.before} place={place} />,
    after: <ImageLayer url={after.url} alt={text.after} place={place} />,
  };
  const surface = (index: number) => (
    <ZoomSurface ref={zoom.register(index)} base={base} scale={zoom.scale} onTransform={zoom.follow} />
  );
  const changeView = () => {
    zoom.reset();
    setSplit(!isSplit);
  };
  return (
    <section ref={ref} aria-label={viewerMessages.region} className="relative size-full overflow-hidden">
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
            <CompareSlider
              passThrough
              before={layers.before}
              after={layers.after}
              beforeLabel={before.label}
              afterLabel={after.label}
            />
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
          isSplit={isSplit}
          onView={changeView}
          onHold={setPressed}
        />
      )}
    </section>
  );
}
