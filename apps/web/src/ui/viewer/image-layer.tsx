import type { CSSProperties } from 'react';
import { fill } from './zoom-surface.tsx';

/** All images of a view share one transform in custom properties, so that gestures do not re-render. */
const moved: CSSProperties = {
  position: 'absolute',
  inset: 0,
  transformOrigin: '0 0',
  transform: 'translate(var(--zoom-x, 0px), var(--zoom-y, 0px)) scale(var(--zoom-scale, 1))',
};

type ImageLayerProps = {
  url: string;
  alt: string /** Position of the unzoomed image. */;
  place: CSSProperties;
};

/** An image that follows the transform of its view. */
export function ImageLayer({ url, alt, place }: ImageLayerProps) {
  return (
    <div style={{ ...fill, position: 'relative', overflow: 'hidden' }}>
      <div style={moved}>
        <img
          src={url}
          alt={alt}
          draggable={false}
          decoding="async"
          className="checkerboard absolute max-w-none"
          style={place}
        />
      </div>
    </div>
  );
}
