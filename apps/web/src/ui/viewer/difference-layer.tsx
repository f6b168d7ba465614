import { type CSSProperties, useEffect, useState } from 'react';
import type { Size } from '../../lib/format/format.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { Spinner } from '../layout/logo-mark.tsx';
import { receiptMessages } from '../receipt/messages.ts';
import { mapColors, mapRange } from './difference-map.ts';
import { ImageLayer } from './image-layer.tsx';
import { type DifferenceMap, measureDifference } from './measure-difference.ts';

const text = {
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
  /** Position of the unzoomed images. */
  place: CSSProperties;
};

/** The heat map, `undefined` while it is computed, and `null` if the images can't be read. */
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

/** One line, as high as the labels of images. */
function Legend({ value }: { value: string }) {
  return (
    <div className="absolute top-3 left-3 z-10 flex max-w-[calc(100%-1.5rem)] items-center gap-3 rounded-control bg-ink px-2 py-1 text-page text-xs tabular-nums">
      <p aria-hidden="true" className="truncate">
        {receiptMessages.color}
        <span className="max-sm:hidden">{`: ${value}`}</span>
      </p>
      <div aria-hidden="true" className="flex shrink-0 items-center gap-1">
        {text.none}
        <div className="h-2 w-16 rounded-full ring-1 ring-page/50 sm:w-24" style={{ background: gradient }} />
        {text.most(mapRange)}
      </div>
    </div>
  );
}

/** A heat map of the color difference between an original and its result, with a legend. */
export function DifferenceLayer({ place, ...compared }: DifferenceLayerProps) {
  const map = useDifferenceMap(compared);
  const value = map && receiptMessages.colorValue(map);
  const summary = value && text.facts(receiptMessages.color, value);
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
            <Spinner label={text.loading} />
          </div>
        </div>
      )}
      {map === null && (
        <p role="alert" className="absolute inset-0 m-auto size-fit rounded-card bg-surface p-3 text-sm">
          {text.failed}
        </p>
      )}
    </>
  );
}
