import { type CSSProperties, useRef, useState } from 'react';
import { type ReactZoomPanPinchRef, TransformComponent, TransformWrapper } from 'react-zoom-pan-pinch';
import { fit } from '../lib/fit.ts';
import type { Size } from '../lib/format.ts';
import { useBox } from '../lib/use-box.ts';
import { messages } from '../messages.ts';
import { CompareSlider, type LabelText } from './compare-slider.tsx';
import { ZoomToolbar } from './zoom-toolbar.tsx';

const text = messages.viewer;
const maxPercent = 1_600;
const animationMs = 150;

type Side = { url: string; label: LabelText };
type PictureViewerProps = { before: Side; after: Side /** Pixels of `after`; percentages count these. */; size: Size };

const fill = { width: '100%', height: '100%' } as const;
/** Both pictures follow one transform, kept in custom properties so that a gesture needs no rendering. */
const layer: CSSProperties = {
  position: 'absolute',
  inset: 0,
  transformOrigin: '0 0',
  transform: 'translate(var(--zoom-x, 0px), var(--zoom-y, 0px)) scale(var(--zoom-scale, 1))',
};

function Layer({ url, alt, place }: { url: string; alt: string; place: CSSProperties }) {
  return (
    <div style={{ ...fill, position: 'relative' }}>
      <div style={layer}>
        <img src={url} alt={alt} draggable={false} className="checkerboard absolute max-w-none" style={place} />
      </div>
    </div>
  );
}

/**
 * Before and after under one divider, with zoom by wheel, pinch, double click, buttons and typed percentage. The
 * gestures belong to an empty sheet below; divider and labels keep their size above it.
 */
export function PictureViewer({ before, after, size }: PictureViewerProps) {
  const { ref, box } = useBox<HTMLDivElement>();
  const zoom = useRef<ReactZoomPanPinchRef>(null);
  const [scale, setScale] = useState(1);
  const place = box && fit(size, box);
  const zoomTo = (percent: number) => {
    const view = ref.current?.getBoundingClientRect();
    if (!place || !view) return;
    const { left, top, width, height } = view;
    void zoom.current?.zoomToPoint(percent / 100 / place.scale, left + width / 2, top + height / 2, animationMs);
  };
  const { scale: base, ...rectangle } = place ?? { scale: 1 };
  return (
    <section ref={ref} aria-label={text.region} className="relative size-full overflow-hidden">
      {place && (
        <>
          <TransformWrapper
            ref={zoom}
            minScale={Math.min(1, 1 / base)}
            maxScale={Math.max(1, maxPercent / 100 / base)}
            centerZoomedOut
            doubleClick={{ mode: 'toggle', animationTime: animationMs }}
            panning={{ disabled: scale === 1 }}
            onTransform={(_, { scale: next, positionX, positionY }) => {
              ref.current?.style.setProperty('--zoom-x', `${positionX}px`);
              ref.current?.style.setProperty('--zoom-y', `${positionY}px`);
              ref.current?.style.setProperty('--zoom-scale', String(next));
              setScale(next);
            }}
          >
            <TransformComponent
              wrapperStyle={{ ...fill, overflow: 'hidden', cursor: scale > 1 ? 'grab' : 'zoom-in' }}
              contentStyle={{ ...fill, transformOrigin: '0 0' }}
            >
              <div style={fill} />
            </TransformComponent>
          </TransformWrapper>
          <div className="pointer-events-none absolute inset-0">
            <CompareSlider
              passThrough
              before={<Layer url={before.url} alt={text.before} place={rectangle} />}
              after={<Layer url={after.url} alt={text.after} place={rectangle} />}
              beforeLabel={before.label}
              afterLabel={after.label}
            />
          </div>
          <ZoomToolbar
            percent={Math.round(scale * base * 100)}
            onZoom={zoomTo}
            onFit={() => void zoom.current?.resetTransform(animationMs)}
          />
        </>
      )}
    </section>
  );
}
