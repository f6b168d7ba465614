import type { CSSProperties, Ref } from 'react';
import { type ReactZoomPanPinchRef, TransformComponent, TransformWrapper } from 'react-zoom-pan-pinch';
import type { Transform } from '../../lib/images/zoom-about.ts';

export const animationMs = 150;
const maxPercent = 1_600;
export const fill: CSSProperties = { width: '100%', height: '100%' };

/** How far a view goes: out to all of the image or 1:1, in to what shows single pixels. */
export const scaleRange = (base: number) => ({
  min: Math.min(1, 1 / base),
  max: Math.max(1, maxPercent / 100 / base),
});

type ZoomSurfaceProps = {
  ref: Ref<ReactZoomPanPinchRef>;
  /** Box pixels an image pixel where all of the image is shown. */
  base: number;
  /** Of now, so that an image that is all in view is not dragged away. */
  scale: number;
  onTransform: (transform: Transform) => void;
};

/** An empty sheet that takes wheel, pinch, double click and drag, and tells what they mean. */
export function ZoomSurface({ ref, base, scale, onTransform }: ZoomSurfaceProps) {
  const { min, max } = scaleRange(base);
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
        wrapperStyle={{ ...fill, overflow: 'hidden', cursor: scale > 1 ? 'grab' : 'zoom-in' }}
        contentStyle={{ ...fill, transformOrigin: '0 0' }}
      >
        <div style={fill} />
      </TransformComponent>
    </TransformWrapper>
  );
}
