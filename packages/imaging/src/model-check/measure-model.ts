import { customModelLimits, ModelError, type ModelMeasurements } from '@uprez/models/custom/custom-model';
import { drawImage } from '../calibrate/draw-image.ts';
import { measurePsnrDb } from '../engine/open-networks.ts';
import { type OpenedModel, openModel, type Planes } from './open-model.ts';

/** Side of the test image, in pixels. */
const side = 128;
const center = side / 2;
/** Sizes for finding the scale. They are odd and not square, because tiles may have any size. */
const sizes = [
  { width: 29, height: 37 },
  { width: 52, height: 45 },
];
/** Smallest change of a sample that counts as visible: half of an 8-bit step. */
const visible = 0.5 / 255;
/** Context around a tile to try, in pixels. All are less than half of the side of the test image. */
const overlaps = [16, 32, customModelLimits.overlap];
/** Minimum PSNR of a tile to the whole image, in dB. Blending hides the remaining differences. */
const minTilePsnrDb = 40;

/**
 * Runs a model that `checkModel` has accepted and measures it. Throws ModelError if the model can't be used. Belongs in
 * a jailed process, because ONNX Runtime is native code.
 */
export async function measureModel(bytes: Uint8Array, threads: number): Promise<ModelMeasurements> {
  const model = await open(bytes, threads);
  try {
    const scale = await measureScale(model);
    const loaded = process.memoryUsage.rss();
    const image = makeTestImage();
    const first = await run(model, image);
    const start = performance.now();
    const second = await run(model, image);
    const seconds = (performance.now() - start) / 1_000;
    // ONNX Runtime keeps the memory of a run for the next one.
    const used = process.memoryUsage.rss() - loaded;
    checkRepeated(first, second);
    checkSamples(first);
    return {
      scale,
      psnrDb: comparePixels(image, first, scale),
      radius: await measureRadius(model, image, first),
      overlap: await measureOverlap(model, image, { whole: first, scale }),
      pixelsPerSecond: Math.round(side ** 2 / seconds),
      bytesPerPixel: Math.max(0, Math.round(used / side ** 2)),
    };
  } finally {
    await model.close();
  }
}

const firstLine = (error: unknown) => String(error instanceof Error ? error.message : error).split('\n')[0];

async function open(bytes: Uint8Array, threads: number): Promise<OpenedModel> {
  try {
    return await openModel(bytes, threads);
  } catch (error) {
    throw new ModelError(`ONNX Runtime can't load the model: ${firstLine(error)}. Export the model again.`);
  }
}

async function run(model: OpenedModel, image: Planes): Promise<Planes> {
  try {
    return await model.run(image);
  } catch (error) {
    const size = `${image.width} x ${image.height}`;
    throw new ModelError(
      `The model can't process an image of ${size} pixels: ${firstLine(error)}. Export it for images of any size.`,
    );
  }
}

function makeTestImage(): Planes {
  return { data: drawImage('petals', side, 1).planes, width: side, height: side };
}

async function measureScale(model: OpenedModel): Promise<number> {
  const { min, max } = customModelLimits.scale;
  const scales = new Set<number>();
  for (const { width, height } of sizes) {
    const image = { data: new Float32Array(3 * width * height).fill(0.5), width, height };
    const made = await run(model, image);
    scales.add(made.width / width).add(made.height / height);
  }
  const [scale = 0, ...others] = scales;
  if (others.length === 0 && Number.isInteger(scale) && scale >= min && scale <= max) return scale;
  throw new ModelError(`The scale isn't a whole number from ${min} to ${max}. Use a model with another scale.`);
}

function checkRepeated(one: Planes, other: Planes): void {
  if (one.data.every((value, i) => Object.is(value, other.data[i]))) return;
  throw new ModelError('Two runs on one image gave different results. Export the model without random operators.');
}

function checkSamples({ data }: Planes): void {
  if (!data.every(Number.isFinite))
    throw new ModelError('The output contains values that are not numbers. Use another model, or export it in FP32.');
  const first = data[0] as number;
  if (data.every((value) => value === first))
    throw new ModelError('The output has a single color. Export the model with its trained weights.');
}

/**
 * Returns the PSNR of an image to the output after averaging `scale` x `scale` pixels, in dB. Throws ModelError if it is
 * low.
 */
function comparePixels({ data, width, height }: Planes, made: Planes, scale: number): number {
  const small = new Float32Array(data.length);
  for (let plane = 0; plane < 3; plane++)
    for (let y = 0; y < made.height; y++)
      for (let x = 0; x < made.width; x++) {
        const at = (plane * height + Math.floor(y / scale)) * width + Math.floor(x / scale);
        small[at] =
          (small[at] as number) + (made.data[(plane * made.height + y) * made.width + x] as number) / scale ** 2;
      }
  const psnrDb = measurePsnrDb(data, small);
  const { psnrDb: least } = customModelLimits;
  if (psnrDb >= least) return Math.min(psnrDb, 999);
  throw new ModelError(
    `The output doesn't resemble the image (PSNR ${psnrDb.toFixed(1)} dB, minimum ${least} dB). Export the model for RGB values from 0 to 1.`,
  );
}

/** Changes the center pixel of the test image and returns how far the change is visible. */
async function measureRadius(model: OpenedModel, image: Planes, before: Planes): Promise<number> {
  const changed = image.data.slice();
  for (let plane = 0; plane < 3; plane++) {
    const at = (plane * side + center) * side + center;
    changed[at] = (changed[at] as number) > 0.5 ? 0 : 1;
  }
  const after = await run(model, { ...image, data: changed });
  const scale = before.width / side;
  let radius = 0;
  for (let i = 0; i < before.data.length; i++) {
    const change = Math.abs((after.data[i] as number) - (before.data[i] as number));
    if (change < visible) continue;
    const x = Math.floor((i % before.width) / scale) - center;
    const y = Math.floor((Math.floor(i / before.width) % before.height) / scale) - center;
    radius = Math.max(radius, Math.abs(x), Math.abs(y));
  }
  return radius;
}

/** Cuts the part of an image that begins at `from`, on both axes. */
function cut({ data, width, height }: Planes, from: number): Planes {
  const small = { width: width - from, height: height - from };
  const planes = new Float32Array(3 * small.width * small.height);
  for (let row = 0; row < 3 * small.height; row++) {
    const y = Math.floor(row / small.height) * height + from + (row % small.height);
    planes.set(data.subarray(y * width + from, (y + 1) * width), row * small.width);
  }
  return { data: planes, ...small };
}

/** Inverts the colors of an image above and to the left of `from`. */
function invertBefore({ data, width, height }: Planes, from: number): Planes {
  const inverted = data.map((value, i) =>
    i % width < from || Math.floor(i / width) % height < from ? 1 - value : value,
  );
  return { data: inverted, width, height };
}

/**
 * Changes everything but one quarter of the test image and the context of this quarter. Returns the least context with
 * which the quarter still matches. Throws ModelError if it is too large.
 */
async function measureOverlap(model: OpenedModel, image: Planes, { whole, scale }: { whole: Planes; scale: number }) {
  const wanted = cut(whole, center * scale);
  for (const overlap of overlaps) {
    const changed = await run(model, invertBefore(image, center - overlap));
    const psnrDb = measurePsnrDb(wanted.data, cut(changed, center * scale).data);
    if (psnrDb >= minTilePsnrDb) return overlap;
  }
  throw new ModelError(
    `Tiles don't match the whole image, even with ${overlaps.at(-1)} more pixels on each side. Use a smaller model, or one without operators over the whole image.`,
  );
}
