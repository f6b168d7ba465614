import clsx from 'clsx';
import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react';
import type { Size } from '../../lib/format/format.ts';
import { useHeldShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { messages } from '../../messages.ts';
import { CompareSlider, type LabelText, LayerLabel } from './compare-slider.tsx';
import { fill, fitInBox, useZoom, ZoomSurface } from './zoom.tsx';
import { ZoomToolbar } from './zoom-toolbar.tsx';

function useElementSize() {
  const ref = useRef<HTMLElement>(null);
  const [box, setBox] = useState<Size>();
  useLayoutEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setBox(entry.contentRect));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, box };
}

/** All images of a view share one transform in custom properties, so that gestures do not re-render. */
const moved: CSSProperties = {
  position: 'absolute',
  inset: 0,
  transformOrigin: '0 0',
  transform: 'translate(var(--zoom-x, 0px), var(--zoom-y, 0px)) scale(var(--zoom-scale, 1))',
};

/** `place`: position of the unzoomed image. */
function ImageLayer({ url, alt, place }: { url: string; alt: string; place: CSSProperties }) {
  return (
    <div style={{ ...fill, position: 'relative', overflow: 'hidden' }}>
      <div style={moved}>
        <img
          src={url}
          alt={alt}
          draggable={false}
          decoding="async"
          className="checkerboard absolute max-w-none"
          style={place}
        />
      </div>
    </div>
  );
}

type Side = { url: string; label: LabelText };
type ImageViewerProps = { before: Side; after: Side /** Size of `after`; zoom percentages refer to it. */; size: Size };

const text = messages.viewer;
const region = 'Before and after';
/** In pixels, as in the preview. */
const margin = 12;

function paneOf({ width, height }: Size, isSplit: boolean): Size {
  if (!isSplit) return { width, height };
  return width >= height ? { width: width / 2, height } : { width, height: height / 2 };
}

/** Compares two images with a divider or side by side. Divider and labels are not scaled by the zoom. */
export function ImageViewer({ before, after, size }: ImageViewerProps) {
  const { ref, box } = useElementSize();
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
