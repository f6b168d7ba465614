import { isAiEngine } from '@uprez/contracts/policy/engines';
import { formatTraits, mimeTypes } from '@uprez/contracts/policy/image-formats';
import { processRaster, type RasterResult } from '@uprez/imaging/browser/process-raster';
import { version } from '../../../../package.json';
import { decodeImage } from './decode-image.ts';
import { encodeImage } from './encode-image.ts';
import { withReason } from './local-error.ts';
import type { OpenModel } from './open-model.ts';
import { sha256 } from './sha256.ts';
import type { LocalReceipt, LocalResult, RunRequest } from './worker-messages.ts';

/** Progress at the end of each step. */
const shares = { decode: 0.02, process: 0.9 };

type Running = RunRequest & { opened: OpenModel | undefined; report: (share: number) => void };

/** Run a plan in this browser: decode, process, compare, and encode. Throws LocalError or AppError. */
export async function runJob({ source, plan, model, opened, report }: Running): Promise<LocalResult> {
  const start = performance.now();
  const decoded = await withReason('undecodable', () => decodeImage(source));
  const decodedAt = performance.now();
  report(shares.decode);
  const onProgress = (share: number) => report(shares.decode + share * (shares.process - shares.decode));
  const made = await processRaster({ source: decoded, plan, network: opened, onProgress }).finally(decoded.close);
  const madeAt = performance.now();
  const { output } = plan;
  const onRows = (rows: number) => report(shares.process + (rows / output.height) * (1 - shares.process) * 0.99);
  const file = await withReason('encoding', () => encodeImage(made.pixels, output, onRows));
  const times = { decode: decodedAt - start, encode: performance.now() - madeAt };
  const hashes = { source: await hash(source), result: await hash(file) };
  const receipt = makeReceipt({ source, model, opened, made, file, times, hashes });
  return { file, receipt, gpuFailed: opened?.gpuFailed() ?? false };
}

const hash = async (file: Blob) => sha256(await file.arrayBuffer());

type Finished = Omit<Running, 'kind' | 'report' | 'plan'> & {
  made: RasterResult;
  file: Blob;
  /** Milliseconds. */
  times: { decode: number; encode: number };
  hashes: { source: string; result: string };
};

/** Notes about what browsers do with images, for the receipt. */
const notes = {
  decoded: 'The browser decoded the image, in sRGB with 8 bits per sample. Metadata was removed.',
  firstFrame: 'Only the first frame of an animation is processed.',
  gpuFailed: 'The graphics processor stopped during the run, so WebAssembly processed the rest.',
  flattened: 'Transparent areas were filled with the background color.',
} as const;

function makeReceipt({ source, model, opened, made, file, times, hashes }: Finished): LocalReceipt {
  const { engine, passes, tiles, tile, strips, strip, bands, output, source: size } = made.plan;
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
    ...{ passes, tiles, tile, strips, strip, bands },
    stagesMs: Object.fromEntries(Object.entries(stagesMs).map(([name, ms]) => [name, Math.round(ms)])),
    fidelity: made.fidelity,
    colorDifference: { mean: made.difference.meanDeltaE, worst: made.difference.worstDeltaE },
    notes: [
      notes.decoded,
      ...(source.type === mimeTypes.gif ? [notes.firstFrame] : []),
      ...(isFlattened ? [notes.flattened] : []),
      ...(usesModel && opened.gpuFailed() ? [notes.gpuFailed] : []),
    ],
  };
}

const describeBackend = ({ probe: { backend, threads } }: OpenModel) =>
  backend === 'webgpu' ? 'WebGPU' : `WebAssembly, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
