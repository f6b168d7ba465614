import type { Size } from '../format/format.ts';

/**
 * Position of an image that fits in a box: centered, in proportion, with `margin` pixels on each side. `scale`: box
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
