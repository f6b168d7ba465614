import { type RefObject, useRef, useState } from 'react';
import type { ReactZoomPanPinchRef } from 'react-zoom-pan-pinch';
import { type Transform, zoomAroundCenter } from '../../lib/images/zoom-around-center.ts';
import { animationMs, scaleRange } from './zoom-surface.tsx';

const near = (a: number, b: number) => Math.abs(a - b) < 1e-3;
const isSame = (a: Transform, b: Transform) =>
  near(a.scale, b.scale) && near(a.positionX, b.positionX) && near(a.positionY, b.positionY);
const start: Transform = { scale: 1, positionX: 0, positionY: 0 };

/** Synchronizes the zoom of all panes. `base`: box pixels per image pixel when unzoomed. */
export function useZoom(view: RefObject<HTMLElement | null>, base: number) {
  const surfaces = useRef(new Map<number, ReactZoomPanPinchRef>());
  const now = useRef(start);
  const [scale, setScale] = useState(start.scale);
  const register = (index: number) => (surface: ReactZoomPanPinchRef | null) => {
    if (surface) surfaces.current.set(index, surface);
    else surfaces.current.delete(index);
  };
  const follow = (transform: Transform) => {
    if (isSame(transform, now.current)) return;
    now.current = transform;
    const { positionX, positionY } = transform;
    const style = view.current?.style;
    style?.setProperty('--zoom-x', `${positionX}px`);
    style?.setProperty('--zoom-y', `${positionY}px`);
    style?.setProperty('--zoom-scale', String(transform.scale));
    setScale(transform.scale);
    for (const surface of surfaces.current.values()) {
      if (!isSame(surface.instance.state, transform))
        void surface.setTransform(positionX, positionY, transform.scale, 0);
    }
  };
  const first = () => surfaces.current.get(0);
  const zoomTo = (percent: number) => {
    const box = first()?.instance.wrapperComponent?.getBoundingClientRect();
    if (!box) return;
    const { min, max } = scaleRange(base);
    // The library's function rounds the scale, so that 1:1 would be inexact.
    const view = zoomAroundCenter(now.current, Math.min(max, Math.max(min, percent / 100 / base)), box);
    void first()?.setTransform(view.positionX, view.positionY, view.scale, animationMs);
  };
  const fitAll = () => void first()?.resetTransform(animationMs);
  const reset = () => follow(start);
  return { register, follow, zoomTo, fitAll, reset, scale, percent: Math.round(scale * base * 100) };
}
