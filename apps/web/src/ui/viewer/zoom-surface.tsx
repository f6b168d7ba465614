import type { CSSProperties, Ref } from 'react';
import { type ReactZoomPanPinchRef, TransformComponent, TransformWrapper } from 'react-zoom-pan-pinch';
import type { Transform } from '../../lib/images/zoom-around-center.ts';

export const animationMs = 150;
const maxPercent = 1_600;
export const fill: CSSProperties = { width: '100%', height: '100%' };

/** Range of the scale: from the whole image or 1:1 to single pixels. */
export const scaleRange = (base: number) => ({
  min: Math.min(1, 1 / base),
  max: Math.max(1, maxPercent / 100 / base),
});

type ZoomSurfaceProps = {
  ref: Ref<ReactZoomPanPinchRef>;
  /** Box pixels per image pixel when unzoomed. */
  base: number;
  /** The current scale: an unzoomed image cannot be dragged. */
  scale: number;
  onTransform: (transform: Transform) => void;
};

/** A transparent surface that handles wheel, pinch, double click, and drag. */
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
