import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Size } from '../../lib/format/format.ts';
import type { Place } from './find-detail.ts';
import { type Frame, fitInBox, useZoom } from './zoom.tsx';

/** Returns the size of an element in pixels, and the ref to attach to it. */
export function useElementSize<T extends HTMLElement = HTMLElement>() {
  const ref = useRef<T>(null);
  const [box, setBox] = useState<Size>();
  useLayoutEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setBox(entry.contentRect));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, box };
}

/** Zoom percentage at which a pixel of the image is a CSS pixel. */
export const actualPercent = 100;

type OpenedZoomOptions = {
  /** The element whose images are zoomed. */
  ref: RefObject<HTMLElement | null>;
  /** Size of each pane; undefined until it is measured. */
  pane: Size | undefined;
  size: Size;
  /** Margin around an image that fits its pane, in pixels. */
  margin: number;
  /** Whether an image larger than its pane also opens as a whole. */
  opensWhole?: boolean | undefined;
};

/**
 * Returns the zoom of images of the same size. Images larger than their pane open at 1:1 around `detail`; others fit
 * their pane. A resized pane keeps its center.
 */
export function useOpenedZoom({ ref, pane, size, margin, opensWhole = false }: OpenedZoomOptions, detail: Place) {
  const place = pane ? fitInBox(size, pane, margin) : { scale: 1, left: 0, top: 0, ...size };
  const zoom = useZoom(ref, place.scale);
  const shown = useRef<Frame>(undefined);
  useLayoutEffect(() => {
    // A hidden pane has no size.
    if (!pane || place.scale <= 0) return;
    const last = shown.current;
    shown.current = { box: pane, place };
    if (!last) {
      const point = { x: place.left + detail.x * place.width, y: place.top + detail.y * place.height };
      if (place.scale < 1 && !opensWhole) zoom.openAt(actualPercent, point, pane);
    } else if (last.box.width !== pane.width || last.box.height !== pane.height) zoom.resize(last, shown.current);
  });
  const { scale: base, ...position } = place;
  return { zoom, base, place: position };
}
