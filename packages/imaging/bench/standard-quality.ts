import type { Figures } from '@uprez/testing/bench-report';
import { resample } from '../src/engine/rows/resample.ts';
import { readAll, streamOf } from '../test/support/image-streams.ts';
import { type Image, makeImage } from '../test/support/images.ts';
import { cutOut, loadPhotos, type Photo } from './photos.ts';

const factors = [2, 4];
type Shrink = (photo: Image, factor: number) => Promise<Image>;
const shrinks: Record<string, Shrink> = {
  'antialiased bicubic': ({ width, height, ...photo }, factor) =>
    readAll(resample(streamOf({ width, height, ...photo }), { width: width / factor, height: height / factor })),
  box: async (photo, factor) => boxShrink(photo, factor),
};

/**
 * Compares `standard` with a centered bicubic: PSNR of luma of photos that are shrunk and upscaled again, without a
 * border of `factor` pixels. Also measures its shift, its overshoot at an edge, and the speed of the resampler.
 */
export async function standardQuality(folder: string): Promise<Figures> {
  const figures: Figures = {};
  const photos = await loadPhotos(folder);
  for (const factor of photos.length ? factors : [])
    for (const [name, shrink] of Object.entries(shrinks)) {
      const gains: number[] = [];
      let plain = 0;
      for (const photo of photos) {
        const [ours, bicubic] = await compareUpscaling(photo, { factor, shrink });
        plain += bicubic / photos.length;
        gains.push(ours - bicubic);
      }
      const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
      console.log(
        `x${factor}, shrunk by ${name}: worst ${signed(Math.min(...gains))} dB, bicubic ${plain.toFixed(2)} dB`,
      );
      figures[`\`standard\` at ${factor}x, compared with a centered bicubic, photos shrunk by ${name}`] = {
        value: `${signed(mean)} dB`,
      };
    }
  await describeEdge();
  await measureSpeed();
  return figures;
}

async function compareUpscaling(photo: Photo, { factor, shrink }: { factor: number; shrink: Shrink }) {
  const [width, height] = [photo.width, photo.height].map((side) => side - (side % factor)) as [number, number];
  const whole = cutOut(photo, { left: 0, top: 0, width, height });
  const small = await shrink(whole, factor);
  const upscale = (sharpen: boolean) => readAll(resample(streamOf(small), { width, height, sharpen }));
  const [ours, bicubic] = [await upscale(true), await upscale(false)];
  return [lumaPsnr(ours, whole, factor), lumaPsnr(bicubic, whole, factor)] as const;
}

/** Returns the means of squares of `factor` x `factor` pixels. */
function boxShrink({ width, height, channels, data }: Image, factor: number): Image {
  return makeImage({ width: width / factor, height: height / factor, channels }, (x, y) =>
    Array.from({ length: channels }, (_, c) => {
      let sum = 0;
      for (let i = 0; i < factor ** 2; i++)
        sum += data[((y * factor + Math.floor(i / factor)) * width + x * factor + (i % factor)) * channels + c] ?? 0;
      return sum / factor ** 2;
    }),
  );
}

/** Returns the PSNR of luma (ITU-R BT.601, 16 to 235), the usual metric of upscaling. */
function lumaPsnr(a: Image, b: Image, border: number): number {
  const luma = ({ data }: Image, i: number) =>
    (65.481 * (data[i] ?? 0) + 128.553 * (data[i + 1] ?? 0) + 24.966 * (data[i + 2] ?? 0)) / 255;
  let [squares, count] = [0, 0];
  for (let y = border; y < a.height - border; y++)
    for (let x = border; x < a.width - border; x++) {
      const i = (y * a.width + x) * 3;
      squares += (luma(a, i) - luma(b, i)) ** 2;
      count++;
    }
  return 10 * Math.log10(255 ** 2 / (squares / count));
}

async function describeEdge(): Promise<void> {
  const edge = makeImage({ width: 64, height: 8, channels: 1 }, (x) => [x < 32 ? 50 : 200]);
  for (const factor of factors) {
    const size = { width: 64 * factor, height: 8 * factor, sharpen: true };
    const row = (await readAll(resample(streamOf(edge), size))).data.subarray(0, 64 * factor);
    const overshoot = (Math.max(...row) - 200) / 150;
    const middle = row.findIndex((value) => value > 125) - 32 * factor;
    console.log(
      `x${factor}: an edge overshoots by ${(100 * overshoot).toFixed(1)} %, its middle lies ${middle} pixels off`,
    );
  }
}

async function measureSpeed(): Promise<void> {
  const [width, height] = [5_000, 2_500];
  const rows = { 8: new Uint8Array(width * 3 * 16), 16: new Uint16Array(width * 3 * 16) };
  for (const depth of [8, 16] as const) {
    const samples = rows[depth].map((_, i) => (i * 7_919) % 251);
    const source = {
      width,
      height,
      channels: 3,
      depth,
      read: async (count: number) => samples.subarray(0, count * width * 3),
    };
    for (const sharpen of [false, true]) {
      const stream = resample(source, { width: 2 * width, height: 2 * height, sharpen });
      const start = performance.now();
      for (let y = 0; y < stream.height; y += 100) await stream.read(100);
      const speed = (stream.width * stream.height) / (performance.now() - start) / 1_000;
      console.log(
        `resampling x2, ${depth} bits${sharpen ? ', sharpened as in standard' : ''}: ${speed.toFixed(0)} Mpx/s`,
      );
    }
  }
}

const signed = (value: number) => `${value < 0 ? '' : '+'}${value.toFixed(2)}`;
