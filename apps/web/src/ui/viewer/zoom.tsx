import { type CSSProperties, type Ref, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { type ReactZoomPanPinchRef, TransformComponent, TransformWrapper } from 'react-zoom-pan-pinch';
import type { Size } from '../../lib/format/format.ts';
import type { Place } from './find-detail.ts';

/**
 * Fits an image into the center of a box, with at least `margin` pixels on each side. The returned `scale` is in box
 * pixels per image pixel.
 */
export function fitInBox({ width, height }: Size, box: Size, margin = 0) {
  const scale = Math.min((box.width - 2 * margin) / width, (box.height - 2 * margin) / height);
  return {
    scale,
    width: width * scale,
    height: height * scale,
    left: (box.width - width * scale) / 2,
    top: (box.height - height * scale) / 2,
  };
}

type Transform = { scale: number; positionX: number; positionY: number };

/** A view smaller than the box is centered, and a larger one leaves no gap at its edges. */
function positionAfterZoom(side: number, position: number, { from, to }: { from: number; to: number }): number {
  if (to <= 1) return (side * (1 - to)) / 2;
  const kept = side / 2 - ((side / 2 - position) * to) / from;
  return Math.min(0, Math.max(side * (1 - to), kept));
}

/** Zooms a view to a scale. Keeps the center in place as far as the edges allow. */
export function zoomAroundCenter({ scale: from, positionX, positionY }: Transform, to: number, box: Size): Transform {
  return {
    scale: to,
    positionX: positionAfterZoom(box.width, positionX, { from, to }),
    positionY: positionAfterZoom(box.height, positionY, { from, to }),
  };
}

/** Zooms to a scale and centers a point of the unzoomed view, as far as the edges allow. */
export function zoomToPoint(point: { x: number; y: number }, scale: number, box: Size): Transform {
  const centered = { scale: 1, positionX: box.width / 2 - point.x, positionY: box.height / 2 - point.y };
  return zoomAroundCenter(centered, scale, box);
}

type Frame = { box: Size; place: ReturnType<typeof fitInBox> };

/**
 * Returns the view after its box is resized. An unzoomed view stays unzoomed; other views keep their percentage and
 * center.
 */
export function zoomAfterResize({ scale, positionX, positionY }: Transform, from: Frame, to: Frame): Transform {
  if (isNear(scale, initialTransform.scale)) return initialTransform;
  const x = ((from.box.width / 2 - positionX) / scale - from.place.left) / from.place.width;
  const y = ((from.box.height / 2 - positionY) / scale - from.place.top) / from.place.height;
  const point = { x: to.place.left + x * to.place.width, y: to.place.top + y * to.place.height };
  return zoomToPoint(point, clampScale((scale * from.place.scale) / to.place.scale, to.place.scale), to.box);
}

const isNear = (a: number, b: number) => Math.abs(a - b) < 1e-3;
const isSameTransform = (a: Transform, b: Transform) =>
  isNear(a.scale, b.scale) && isNear(a.positionX, b.positionX) && isNear(a.positionY, b.positionY);
const initialTransform: Transform = { scale: 1, positionX: 0, positionY: 0 };

/** `base`: box pixels per image pixel when unzoomed. */
function useZoom(view: RefObject<HTMLElement | null>, base: number) {
  const surfaces = useRef(new Map<number, ReactZoomPanPinchRef>());
  const now = useRef(initialTransform);
  const [scale, setScale] = useState(initialTransform.scale);
  const register = (index: number) => (surface: ReactZoomPanPinchRef | null) => {
    if (!surface) return void surfaces.current.delete(index);
    surfaces.current.set(index, surface);
    // A surface that mounts later starts with the current transform.
    const { positionX, positionY, scale: shown } = now.current;
    if (!isSameTransform(surface.instance.state, now.current))
      void surface.setTransform(positionX, positionY, shown, 0);
  };
  const follow = (transform: Transform) => {
    if (isSameTransform(transform, now.current)) return;
    now.current = transform;
    const { positionX, positionY } = transform;
    const style = view.current?.style;
    style?.setProperty('--zoom-x', `${positionX}px`);
    style?.setProperty('--zoom-y', `${positionY}px`);
    style?.setProperty('--zoom-scale', String(transform.scale));
    setScale(transform.scale);
    for (const surface of surfaces.current.values()) {
      if (!isSameTransform(surface.instance.state, transform))
        void surface.setTransform(positionX, positionY, transform.scale, 0);
    }
  };
  const first = () => surfaces.current.get(0);
  const zoomTo = (percent: number) => {
    const box = first()?.instance.wrapperComponent?.getBoundingClientRect();
    if (!box) return;
    // The library's function rounds the scale, which would make 1:1 inexact.
    const view = zoomAroundCenter(now.current, clampScale(percent / 100 / base, base), box);
    void first()?.setTransform(view.positionX, view.positionY, view.scale, animationMs);
  };
  /** Shows a point of the unzoomed view at a percentage, without an animation. */
  const openAt = (percent: number, point: { x: number; y: number }, box: Size) => {
    const { scale, positionX, positionY } = zoomToPoint(point, percent / 100 / base, box);
    void first()?.setTransform(positionX, positionY, scale, 0);
  };
  const resize = (from: Frame, to: Frame) => {
    const { scale, positionX, positionY } = zoomAfterResize(now.current, from, to);
    void first()?.setTransform(positionX, positionY, scale, 0);
  };
  /** Moves the view by a share of its size, as far as the edges of the image allow. */
  const panBy = (x: number, y: number) => {
    const box = first()?.instance.wrapperComponent?.getBoundingClientRect();
    if (!box) return;
    const { scale, positionX, positionY } = now.current;
    const moved = { scale, positionX: positionX - x * box.width, positionY: positionY - y * box.height };
    const view = zoomAroundCenter(moved, scale, box);
    void first()?.setTransform(view.positionX, view.positionY, scale, animationMs);
  };
  const fitAll = () => void first()?.resetTransform(animationMs);
  const reset = () => follow(initialTransform);
  return {
    register,
    follow,
    zoomTo,
    openAt,
    resize,
    panBy,
    fitAll,
    reset,
    scale,
    percent: Math.round(scale * base * 100),
  };
}

const animationMs = 150;
const maxPercent = 1_600;
export const fillStyle: CSSProperties = { width: '100%', height: '100%' };

/** From the whole image or 1:1, whichever is smaller, to `maxPercent`. */
const getScaleRange = (base: number) => ({
  min: Math.min(1, 1 / base),
  max: Math.max(1, maxPercent / 100 / base),
});

const clampScale = (scale: number, base: number) => {
  const { min, max } = getScaleRange(base);
  return Math.min(max, Math.max(min, scale));
};

type ZoomSurfaceProps = {
  ref: Ref<ReactZoomPanPinchRef>;
  /** Box pixels per image pixel when unzoomed. */
  base: number;
  /** An unzoomed image can't be dragged. */
  scale: number;
  onTransform: (transform: Transform) => void;
};

export function ZoomSurface({ ref, base, scale, onTransform }: ZoomSurfaceProps) {
  const { min, max } = getScaleRange(base);
  return (
    <TransformWrapper
      ref={ref}
      minScale={min}
      maxScale={max}
      centerZoomedOut
      doubleClick={{ mode: 'toggle', animationTime: animationMs }}
      panning={{ disabled: scale === 1 }}
      onTransform={(_, transform) => onTransform(transform)}
    >
      <TransformComponent
        wrapperStyle={{ ...fillStyle, overflow: 'hidden', cursor: scale > 1 ? 'grab' : 'zoom-in' }}
        contentStyle={{ ...fillStyle, transformOrigin: '0 0' }}
      >
        <div style={fillStyle} />
      </TransformComponent>
    </TransformWrapper>
  );
}

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

/** Zoom percentage at which one image pixel covers one CSS pixel. */
export const actualPercent = 100;

type OpenedZoomOptions = {
  ref: RefObject<HTMLElement | null>;
  /** Undefined until it is measured. */
  pane: Size | undefined;
  size: Size;
  /** Around an image that fits its pane, in pixels. */
  margin: number;
  /** Whether to fit images that are larger than the pane into it, too. */
  opensWhole?: boolean | undefined;
};

/**
 * Returns the shared zoom of images of the same size. Images larger than their pane open at 1:1, centered on `detail`.
 * Other images fit their pane. Resizing a pane keeps its center in place.
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
