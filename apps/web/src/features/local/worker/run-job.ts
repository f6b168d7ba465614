import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import { formatTraits, mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { aiMarkXmp, markFile } from '@uprez/imaging/browser/mark-file';
import { processRaster, type RasterResult } from '@uprez/imaging/browser/process-raster';
import type { Raster } from '@uprez/imaging/browser/raster';
import { makeSrgbConverter, toPlainFile } from '@uprez/imaging/color/plain-file';
import { version } from '../../../../package.json';
import { encodePng } from './encode-png.ts';
import { withReason } from './local-error.ts';
import { type OpenModel, sha256 } from './open-model.ts';
import type { LocalReceipt, LocalResult, RunRequest } from './worker-messages.ts';

/** Overall progress at the end of each step, from 0 to 1. */
const shares = { decode: 0.02, process: 0.9 };

type JobInput = RunRequest & { opened: OpenModel | undefined; report: (share: number) => void };

/** Runs a pipeline in this browser: decodes, processes, compares, and encodes. Throws LocalError or AppError. */
export async function runJob({ source, plan, model, opened, report }: JobInput): Promise<LocalResult> {
  const start = performance.now();
  const decoded = await withReason('undecodable', () => decodeImage(source));
  const decodedAt = performance.now();
  report(shares.decode);
  const onProgress = (share: number) => report(shares.decode + share * (shares.process - shares.decode));
  const made = await processRaster({ source: decoded, pipeline: plan, network: opened, onProgress }).finally(
    decoded.close,
  );
  const madeAt = performance.now();
  const { output } = plan;
  const onRows = (rows: number) => report(shares.process + (rows / output.height) * (1 - shares.process) * 0.99);
  const isMarked = isAiEngine(made.pipeline.engine) && model?.marksResults === true;
  const file = await withReason('encoding', () => encodeImage(made.pixels, { ...output, isMarked }, onRows));
  const times = { decode: decodedAt - start, encode: performance.now() - madeAt };
  const hashes = { source: await hashFile(source), result: await hashFile(file) };
  const receipt = makeReceipt({ source, model, opened, made, file, times, hashes });
  return { file, receipt, gpuFailed: opened?.gpuFailed() ?? false };
}

const hashFile = async (file: Blob) => sha256(await file.arrayBuffer());

type ReceiptInput = Omit<JobInput, 'kind' | 'report' | 'plan'> & {
  made: RasterResult;
  file: Blob;
  /** Duration of each step in milliseconds. */
  times: { decode: number; encode: number };
  hashes: { source: string; result: string };
};

const notes = {
  decoded: 'The browser decoded the image, in sRGB with 8 bits per sample. Metadata was removed.',
  firstFrame: 'Only the first frame of an animation is processed.',
  gpuFailed: 'The graphics processor stopped during the run, so WebAssembly processed the rest.',
  flattened: 'Transparent areas were filled with the background color.',
} as const;

function makeReceipt({ source, model, opened, made, file, times, hashes }: ReceiptInput): LocalReceipt {
  const { engine, passes, tiles, tile, strips, strip, bands, output, source: size } = made.pipeline;
  const usesModel = isAiEngine(engine) && opened !== undefined;
  const isFlattened = made.pixels.channels === 4 && output.format === 'jpeg';
  const stagesMs = {
    ...times,
    ...(usesModel && { enlarge: made.networkMs }),
    ...{ resample: made.otherMs, check: made.checkMs },
  };
  return {
    engine,
    variant: usesModel ? 'fp32' : null,
    variantReason: usesModel ? describeBackend(opened) : null,
    model: usesModel ? (model?.sha256 ?? null) : null,
    device: 'browser',
    versions: { uprez: version, ...(usesModel && { 'onnxruntime-web': opened.version }) },
    source: { width: size.width, height: size.height, sizeBytes: source.size, sha256: hashes.source },
    ...{ width: output.width, height: output.height, format: output.format, bitDepth: 8, frames: 1 },
    quality: formatTraits[output.format].lossy ? output.quality : null,
    ...{ sizeBytes: file.size, sha256: hashes.result, retries: [] },
    ...{ passes, tiles, tile, strips, strip, bands, ...made.work?.facts },
    stagesMs: Object.fromEntries(Object.entries(stagesMs).map(([name, ms]) => [name, Math.round(ms)])),
    fidelity: made.fidelity,
    colorDifference: { mean: made.difference.meanDeltaE, worst: made.difference.worstDeltaE },
    notes: [
      notes.decoded,
      ...(source.type === mimeTypes.gif ? [notes.firstFrame] : []),
      ...(isFlattened ? [notes.flattened] : []),
      ...(usesModel && opened.gpuFailed() ? [notes.gpuFailed] : []),
      ...(made.work?.notes ?? []),
    ],
  };
}

const describeBackend = ({ probe: { backend, threads } }: OpenModel) =>
  backend === 'webgpu' ? 'WebGPU' : `WebAssembly, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;

type Pixels = { width: number; height: number; channels: 3 | 4; samples: Uint8Array };

/**
 * Rows that are copied to or from a canvas at once. Decoding uses a canvas of this height: a canvas for the whole image
 * would need memory for a second copy of the image, and the size of a canvas is limited.
 */
const bandRows = 256;

/** `isMarked`: whether to mark the file as made by AI. */
type EncodeOptions = Pick<ImagePipeline['output'], 'format' | 'quality' | 'background'> & { isMarked: boolean };

/** Encodes samples in the pipeline's output format. Throws Error if the browser can't write that format. */
async function encodeImage(
  pixels: Pixels,
  { format, quality, background, isMarked }: EncodeOptions,
  onRows: (rows: number) => void,
): Promise<Blob> {
  if (format === 'png') return encodePng(pixels, { onRows, xmp: isMarked ? aiMarkXmp : undefined });
  const { width, height } = pixels;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { colorSpace: 'srgb' });
  if (!context) throw new Error('the browser has no canvas of this size');
  for (let y = 0; y < height; y += bandRows) {
    const count = Math.min(bandRows, height - y);
    const band = copyRows(pixels, { y, count, background: format === 'jpeg' ? background : undefined });
    context.putImageData(new ImageData(band, width, count), 0, y);
    onRows(y + count);
  }
  const type = mimeTypes[format];
  const file = await canvas.convertToBlob({ type, quality: quality / 100 });
  // Browsers fall back to PNG if they don't support the requested type.
  if (file.type !== type) throw new Error(`the browser can't write ${type}`);
  if (!isMarked || (format !== 'jpeg' && format !== 'webp')) return file;
  return new Blob([markFile(new Uint8Array(await file.arrayBuffer()), format)], { type });
}

/**
 * `background`: color behind transparent pixels, as `#rrggbb`. Undefined if the output format supports transparency.
 */
type CopyOptions = { y: number; count: number; background: string | undefined };

function copyRows({ width, channels, samples }: Pixels, { y, count, background }: CopyOptions) {
  const band = new Uint8ClampedArray(count * width * 4);
  const behind = [1, 3, 5].map((at) => Number.parseInt(background?.slice(at, at + 2) ?? '', 16));
  for (let to = 0, from = y * width * channels; to < band.length; to += 4, from += channels) {
    const alpha = channels === 4 ? (samples[from + 3] as number) : 255;
    const isFlat = background !== undefined && alpha < 255;
    for (let c = 0; c < 3; c++) {
      const sample = samples[from + c] as number;
      band[to + c] = isFlat ? (sample * alpha + (behind[c] as number) * (255 - alpha)) / 255 : sample;
    }
    band[to + 3] = isFlat ? 255 : alpha;
  }
  return band;
}

type DecodedImage = Raster & { close: () => void };

/**
 * Decodes an image upright, in sRGB, with 8 bits per sample. If a PNG or BMP describes its colors without an ICC
 * profile, they are converted here, as on the servers, because browsers handle them differently. Throws DOMException.
 */
async function decodeImage(file: Blob): Promise<DecodedImage> {
  const plain = toPlainFile(new Uint8Array(await file.arrayBuffer()));
  const source = plain ? new Blob([plain.file], { type: file.type }) : file;
  const bitmap = await createImageBitmap(source, { imageOrientation: 'from-image', premultiplyAlpha: 'none' });
  const { width, height } = bitmap;
  const readBand = openBands(bitmap);
  const channels = findTransparency(readBand, height) ? 4 : 3;
  const convert = makeSrgbConverter(plain?.encoding, channels);
  const readRows = async (y: number, count: number) => {
    const rows = new Uint8Array(count * width * channels);
    for (let done = 0; done < count; done += bandRows) {
      const band = readBand(y + done, Math.min(bandRows, count - done));
      const target = rows.subarray(done * width * channels);
      if (channels === 4) target.set(band);
      else copyColors(band, target);
    }
    convert?.(rows);
    return rows;
  };
  return { width, height, channels, readRows, close: () => bitmap.close() };
}

type ReadBand = (y: number, count: number) => Uint8ClampedArray;

function openBands(bitmap: ImageBitmap): ReadBand {
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, Math.min(height, bandRows));
  const context = canvas.getContext('2d', { willReadFrequently: true, colorSpace: 'srgb' });
  if (!context) throw new Error('the browser has no canvas of this size');
  context.globalCompositeOperation = 'copy';
  return (y, count) => {
    context.drawImage(bitmap, 0, y, width, count, 0, 0, width, count);
    return context.getImageData(0, 0, width, count).data;
  };
}

function findTransparency(readBand: ReadBand, height: number): boolean {
  for (let y = 0; y < height; y += bandRows) {
    const band = readBand(y, Math.min(bandRows, height - y));
    for (let i = 3; i < band.length; i += 4) if (band[i] !== 255) return true;
  }
  return false;
}

function copyColors(band: Uint8ClampedArray, target: Uint8Array): void {
  for (let from = 0, to = 0; from < band.length; from += 4) {
    target[to++] = band[from] as number;
    target[to++] = band[from + 1] as number;
    target[to++] = band[from + 2] as number;
  }
}
