import type { CSSProperties, Ref } from 'react';
import { type ReactZoomPanPinchRef, TransformComponent, TransformWrapper } from 'react-zoom-pan-pinch';

export const animationMs = 150;
const maxPercent = 1_600;
export const fill: CSSProperties = { width: '100%', height: '100%' };

export type Transform = { scale: number; positionX: number; positionY: number };
type ZoomSurfaceProps = {
  ref: Ref<ReactZoomPanPinchRef>;
  /** Box pixels a picture pixel where all of the picture is shown. */
  base: number;
  /** Of now, so that a picture that is all in view is not dragged away. */
  scale: number;
  onTransform: (transform: Transform) => void;
};

/** An empty sheet that takes wheel, pinch, double click and drag, and tells what they mean. */
export function ZoomSurface({ ref, base, scale, onTransform }: ZoomSurfaceProps) {
  return (
    <TransformWrapper
      ref={ref}
      minScale={Math.min(1, 1 / base)}
      maxScale={Math.max(1, maxPercent / 100 / base)}
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
