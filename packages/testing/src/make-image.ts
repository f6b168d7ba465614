import sharp from 'sharp';

export type ImageOptions = {
  width: number;
  height: number;
  format?: 'jpeg' | 'png' | 'webp';
  /** Adds a transparent disc in the center. */
  alpha?: boolean;
  /** Seed of the pattern and noise. Different seeds produce different bytes. */
  seed?: number;
};

/** Returns repeatable noise (a linear congruential generator with the constants of Numerical Recipes). */
function makeNoise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Creates an image similar to a photo, with gradients, hard edges, and fine grain. */
export async function makeImage({
  width,
  height,
  format = 'png',
  alpha = false,
  seed = 1,
}: ImageOptions): Promise<Buffer> {
  const channels = alpha ? 4 : 3;
  const pixels = Buffer.alloc(width * height * channels);
  const noise = makeNoise(seed);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels;
      const u = x / width - 0.5;
      const v = y / height - 0.5;
      const edge = Math.sin((u * 14 + v * 6) * (1 + (seed % 5))) > 0.6 ? 60 : 0;
      const grain = (noise() - 0.5) * 12;
      pixels[at] = clamp(150 + 140 * u - edge + grain);
      pixels[at + 1] = clamp(120 + 120 * v + edge / 2 + grain);
      pixels[at + 2] = clamp(110 - 160 * u * v + 70 * Math.cos(9 * Math.hypot(u, v)) + grain);
      if (alpha) pixels[at + 3] = Math.hypot(u, v) < 0.25 ? 0 : 255;
    }
  }
  return sharp(pixels, { raw: { width, height, channels } }).toFormat(format, { quality: 92 }).toBuffer();
}

const clamp = (value: number) => Math.max(0, Math.min(255, Math.round(value)));

/** Returns a copy of a PNG with an intact header and end, but with pixels that can't be decoded. */
export function corruptPng(file: Buffer): Buffer {
  const start = file.indexOf('IDAT') + 12;
  return Buffer.from(file).fill(0xff, start, start + 16);
}
