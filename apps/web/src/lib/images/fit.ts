import type { Size } from '../format/format.ts';

/**
 * An image's place in a box that shows all of it: centred, sides kept in proportion, `margin` pixels free on every side.
 * `scale`: box pixels an image pixel.
 */
export function fit({ width, height }: Size, box: Size, margin = 0) {
  const scale = Math.min((box.width - 2 * margin) / width, (box.height - 2 * margin) / height);
  return {
    scale,
    width: width * scale,
    height: height * scale,
    left: (box.width - width * scale) / 2,
    top: (box.height - height * scale) / 2,
  };
}
