import { type CSSProperties, useEffect, useState } from 'react';
import type { Size } from '../../lib/format/format.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { Spinner } from '../layout/logo-mark.tsx';
import { receiptMessages } from '../receipt/messages.ts';
import { LayerLabel } from './compare-slider.tsx';
import { mapColors, mapRange } from './difference-map.ts';
import { ImageLayer } from './image-layer.tsx';
import { type DifferenceMap, measureDifference } from './measure-difference.ts';

const text = {
  name: 'Color difference',
  hint: 'brighter where colors differ at the same size',
  none: '0: same color',
  most: (most: number) => `${most} or more`,
  facts: (label: string, value: string) => `${label}: ${value}. Measured in areas of the image, as in the receipt.`,
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

function Legend({ summary }: { summary: string }) {
  return (
    <div className="absolute top-12 left-3 z-10 grid w-40 gap-1 sm:w-56 rounded-control border border-line bg-surface p-2 text-xs">
      <div aria-hidden="true" className="h-2 rounded-full" style={{ background: gradient }} />
      <div className="flex justify-between text-muted tabular-nums">
        <span>{text.none}</span>
        <span>{text.most(mapRange)}</span>
      </div>
      <p aria-hidden="true" className="tabular-nums max-sm:hidden">
        {summary}
      </p>
    </div>
  );
}

/** A heat map of the color difference between an original and its result, with a legend. */
export function DifferenceLayer({ place, ...compared }: DifferenceLayerProps) {
  const map = useDifferenceMap(compared);
  const summary = map && text.facts(receiptMessages.color, receiptMessages.colorValue(map));
  useEffect(() => {
    if (summary) announce(summary);
  }, [summary]);
  return (
    <>
      <LayerLabel name={text.name} facts={text.hint} side="left" alone />
      {map && summary && (
        <>
          <ImageLayer image={{ url: map.url, alt: summary }} place={place} />
          <Legend summary={summary} />
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
