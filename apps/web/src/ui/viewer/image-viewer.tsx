import clsx from 'clsx';
import { type CSSProperties, type ReactNode, Suspense, use, useEffect, useState } from 'react';
import type { Size } from '../../lib/format/format.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { useHeldShortcut, useShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { messages } from '../../messages.ts';
import { Spinner } from '../layout/logo-mark.tsx';
import { receiptMessages } from '../receipt/messages.ts';
import { CompareSlider, type LabelText, LayerLabel } from './compare-slider.tsx';
import { loadDetail } from './find-detail.ts';
import { ImageLayer } from './image-layer.tsx';
import { type DifferenceMap, mapColors, maxMapDifference, measureDifference } from './measure-difference.ts';
import { useElementSize, useOpenedZoom, ZoomSurface } from './zoom.tsx';
import { type ViewMode, ZoomToolbar } from './zoom-toolbar.tsx';

const differenceLayerText = {
  none: '0',
  most: (most: number) => `${most} or more`,
  facts: (label: string, value: string) => `${label}: ${value}. Areas with a larger difference are brighter.`,
  loading: 'Comparing images',
  failed: "Couldn't compare the images. Reload to try again.",
} as const;

type DifferenceLayerProps = {
  before: string;
  after: string;
  size: Size;
  /** Position and size of the unzoomed images. */
  place: CSSProperties;
};

/** Returns the heat map, `undefined` while it is computed, or `null` if the images can't be read. */
function useDifferenceMap({ before, after, size }: Omit<DifferenceLayerProps, 'place'>) {
  const [map, setMap] = useState<DifferenceMap | null>();
  const { width, height } = size;
  useEffect(() => {
    const abort = new AbortController();
    let url: string | undefined;
    const show = (made: DifferenceMap | null) => {
      url = made?.url;
      if (abort.signal.aborted && url) URL.revokeObjectURL(url);
      else if (!abort.signal.aborted) setMap(made);
    };
    measureDifference({ before, after, size: { width, height }, signal: abort.signal }).then(show, () => show(null));
    return () => {
      abort.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [before, after, width, height]);
  return map;
}

const gradient = `linear-gradient(to right, ${mapColors.map((color) => `rgb(${color.join(' ')})`).join(', ')})`;

function Legend({ value }: { value: string }) {
  return (
    <div className="absolute top-3 left-3 z-10 flex max-w-[calc(100%-1.5rem)] items-center gap-3 rounded-control bg-ink px-2 py-1 text-page text-xs tabular-nums">
      <p aria-hidden="true" className="truncate">
        {receiptMessages.color}
        <span className="max-sm:hidden">{`: ${value}`}</span>
      </p>
      <div aria-hidden="true" className="flex shrink-0 items-center gap-1">
        {differenceLayerText.none}
        <div className="h-2 w-16 rounded-full ring-1 ring-page/50 sm:w-24" style={{ background: gradient }} />
        {differenceLayerText.most(maxMapDifference)}
      </div>
    </div>
  );
}

function DifferenceLayer({ place, ...compared }: DifferenceLayerProps) {
  const map = useDifferenceMap(compared);
  const value = map && receiptMessages.colorValue(map);
  const summary = value && differenceLayerText.facts(receiptMessages.color, value);
  useEffect(() => {
    if (summary) announce(summary);
  }, [summary]);
  return (
    <>
      {map && value && summary && (
        <>
          <ImageLayer image={{ url: map.url, alt: summary }} place={place} />
          <Legend value={value} />
        </>
      )}
      {map === undefined && (
        <div className="absolute inset-0 grid place-items-center">
          <div className="rounded-card bg-surface p-3">
            <Spinner label={differenceLayerText.loading} />
          </div>
        </div>
      )}
      {map === null && (
        <p role="alert" className="absolute inset-0 m-auto size-fit rounded-card bg-surface p-3 text-sm">
          {differenceLayerText.failed}
        </p>
      )}
    </>
  );
}

type Side = { url: string; label: LabelText };
type Sides = { before: Side; after: Side /** Size of `after`; zoom percentages refer to it. */; size: Size };

const text = messages.viewer;
const regionLabel = 'Before and after';
/** In pixels, the same as in the preview. */
const margin = 12;
/** Viewer width in pixels below which images open as a whole, because a part at 1:1 would show too little. */
const narrowWidth = 480;

function paneSizeOf({ width, height }: Size, isSplit: boolean): Size {
  if (!isSplit) return { width, height };
  return width >= height ? { width: width / 2, height } : { width, height: height / 2 };
}

type ImageViewerProps = Sides & {
  /** Shown until the images can be compared. */
  waiting?: ReactNode;
};

/** The divider and labels aren't zoomed. */
export function ImageViewer({ waiting, ...sides }: ImageViewerProps) {
  return (
    <Suspense fallback={waiting}>
      <Viewer {...sides} />
    </Suspense>
  );
}

function Viewer({ before, after, size }: Sides) {
  const detail = use(loadDetail(before.url, size));
  const { ref, box } = useElementSize();
  const [view, setView] = useState<ViewMode>('divider');
  const [isPressed, setPressed] = useState(false);
  const isSplit = view === 'split';
  const { zoom, base, place } = useOpenedZoom(
    { ref, pane: box && paneSizeOf(box, isSplit), size, margin, opensWhole: box && box.width < narrowWidth },
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
  const toggle = (other: ViewMode) => {
    // Resets the zoom, because the split panes differ in size from the single pane.
    if (isSplit || other === 'split') zoom.reset();
    setView(view === other ? 'divider' : other);
  };
  useShortcut('difference', () => toggle('difference'));
  return (
    <section ref={ref} aria-label={regionLabel} className="relative size-full overflow-hidden">
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
