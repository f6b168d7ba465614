import { type Image, makeImage } from './images.ts';

/** Cubic convolution with a = -0.5, in a simple form: the reference for the resampler. */
function kernel(x: number): number {
  const a = -0.5;
  const d = Math.abs(x);
  if (d <= 1) return (a + 2) * d ** 3 - (a + 3) * d ** 2 + 1;
  if (d < 2) return a * d ** 3 - 5 * a * d ** 2 + 8 * a * d - 4 * a;
  return 0;
}

/** Upscales by centered bicubic summation over 4x4 neighbors. Edge pixels repeat beyond the border. */
export function plainBicubic(source: Image, { width, height }: { width: number; height: number }): Image {
  const at = (x: number, y: number, c: number) => {
    const column = Math.max(0, Math.min(source.width - 1, x));
    const row = Math.max(0, Math.min(source.height - 1, y));
    return source.data[(row * source.width + column) * source.channels + c] ?? 0;
  };
  return makeImage({ width, height, channels: source.channels }, (x, y) => {
    const u = ((x + 0.5) * source.width) / width - 0.5;
    const v = ((y + 0.5) * source.height) / height - 0.5;
    return Array.from({ length: source.channels }, (_, c) => {
      let sum = 0;
      for (let j = Math.floor(v) - 1; j <= Math.floor(v) + 2; j++)
        for (let i = Math.floor(u) - 1; i <= Math.floor(u) + 2; i++) sum += at(i, j, c) * kernel(u - i) * kernel(v - j);
      return sum;
    });
  });
}
