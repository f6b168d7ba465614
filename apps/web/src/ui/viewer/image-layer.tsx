import type { CSSProperties } from 'react';
import { fillStyle } from './zoom.tsx';

/**
 * All images in a view share one transform through custom properties, because gestures would otherwise re-render them.
 */
const zoomStyle: CSSProperties = {
  position: 'absolute',
  inset: 0,
  transformOrigin: '0 0',
  transform: 'translate(var(--zoom-x, 0px), var(--zoom-y, 0px)) scale(var(--zoom-scale, 1))',
};

type ImageLayerProps = {
  image: { url: string; alt: string };
  /** Position and size of the unzoomed images. */
  place: CSSProperties;
};

/** An image that follows the zoom. An image with a different aspect ratio is cropped to its place, as results are. */
export function ImageLayer({ image, place }: ImageLayerProps) {
  return (
    <div style={{ ...fillStyle, position: 'relative', overflow: 'hidden' }}>
      <div style={zoomStyle}>
        <img
          draggable={false}
          decoding="async"
          className="checkerboard absolute max-w-none object-cover"
          src={image.url}
          alt={image.alt}
          style={place}
        />
      </div>
    </div>
  );
}
