import type { CSSProperties } from 'react';
import { fill } from './zoom.tsx';

/** All images of a view share one transform in custom properties, so that gestures do not re-render. */
const moved: CSSProperties = {
  position: 'absolute',
  inset: 0,
  transformOrigin: '0 0',
  transform: 'translate(var(--zoom-x, 0px), var(--zoom-y, 0px)) scale(var(--zoom-scale, 1))',
};

type LayerImage = { url: string; alt: string };
type ImageLayerProps = {
  image: LayerImage;
  /** The absolute difference of both images is shown, amplified and without color. */
  differsFrom?: LayerImage;
  /** Position of the unzoomed images. */
  place: CSSProperties;
};

/** An image below the zoom. One of another shape is cropped to its place, as results are. */
export function ImageLayer({ image, differsFrom, place }: ImageLayerProps) {
  const shared = {
    draggable: false,
    decoding: 'async',
    className: 'checkerboard absolute max-w-none object-cover',
  } as const;
  return (
    <div
      style={{
        ...fill,
        position: 'relative',
        overflow: 'hidden',
        ...(differsFrom && { filter: 'grayscale(1) brightness(4)' }),
      }}
    >
      <div style={moved}>
        <img {...shared} src={image.url} alt={image.alt} style={place} />
        {differsFrom && (
          <img
            {...shared}
            src={differsFrom.url}
            alt={differsFrom.alt}
            style={{ ...place, mixBlendMode: 'difference' }}
          />
        )}
      </div>
    </div>
  );
}
