import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import { localEngines, localFactors } from '@uprez/contracts/policy/images/local-mode';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { formatBytes } from '@uprez/contracts/texts/format';
import { chooseLocalSteps, estimateLocalMemory } from '@uprez/imaging/browser/estimate-local';
import { makePipeline } from '@uprez/imaging/pipeline/make-pipeline';
import type { Size } from '../../../lib/format/format.ts';
import { formatOf } from '../../../lib/images/preview-pipeline.ts';
import { localMessages as text } from '../messages.ts';
import type { LocalSettings } from '../state/local-store.ts';
import type { Backend } from '../worker/worker-messages.ts';

/** `limit`: why the image can't be processed. `isGeneral`: whether our servers have the same limit. */
export type LocalPipeline =
  | { pipeline: ImagePipeline; limit?: undefined; isGeneral?: undefined }
  | { limit: string; isGeneral: boolean; pipeline?: undefined };

/** `backend`: backend that runs the model. Undefined until the model has been measured. */
type LocalPipelineInput = {
  size: Size;
  source: File;
  settings: LocalSettings;
  device: Device;
  backend: Backend | undefined;
};

/** Creates the pipeline for an image. If this device can't process the image, returns why. */
export function makeLocalPipeline(input: LocalPipelineInput): LocalPipeline {
  const { size, source, settings, device, backend } = input;
  const outcome = makePipeline({
    recipe: { ...recipeDefaults, ...settings },
    sourceBytes: source.size,
    // These values are the same for every file, because the browser decodes all images to sRGB with 8 bits per sample.
    inspection: {
      ...size,
      format: formatOf(source.type) ?? 'jpeg',
      ...{ orientation: 1, channels: 4, space: 'rgb', isPalette: false, bitDepth: 8, frames: 1 },
      ...{ hasAlpha: false, hasProfile: false, decodesWhole: true },
    },
    limits: {
      maxOutputPixels: Number.POSITIVE_INFINITY,
      maxJobSeconds: Number.POSITIVE_INFINITY,
      autoEngine: localEngines[0],
      enginesAvailable: localEngines,
    },
  });
  if (!outcome.ok) return { limit: outcome.rejection.detail, isGeneral: true };
  // The GPU can process only tiles, not strips.
  const pipeline = chooseLocalSteps(outcome.pipeline, {
    inTiles: backend === 'webgpu',
    memoryBytes: device.memoryBytes,
  });
  const limit = findLimit(pipeline, input);
  return limit ? { limit, isGeneral: false } : { pipeline };
}

function findLimit(pipeline: ImagePipeline, input: LocalPipelineInput): string | undefined {
  const { device } = input;
  const { engine, output } = pipeline;
  if (!device.isSecure) return text.insecure;
  if (isAiEngine(engine) && !device.runsModels) return text.noModels;
  const needed = estimateLocalMemory(pipeline);
  if (needed > device.memoryBytes) return describeMemory(needed, input);
  const { pixels, side } = device.canvas;
  const isTooLarge = output.width * output.height > pixels || Math.max(output.width, output.height) > side;
  return isTooLarge && output.format !== 'png' ? text.canvasTooSmall : undefined;
}

const MB = 1024 ** 2;

/** Formats a memory size with about two significant digits, because memory sizes are estimates. */
function formatMemory(bytes: number): string {
  const step = bytes < 1_000 * MB ? 10 * MB : 102.4 * MB;
  return formatBytes(Math.round(bytes / step) * step);
}

/**
 * Explains that a run needs too much memory, and suggests the largest scale or the engine that works on this device.
 */
function describeMemory(needed: number, input: LocalPipelineInput): string {
  const { settings, device } = input;
  const why = text.needsMemory(formatMemory(needed), formatMemory(device.memoryBytes));
  const works = (other: Partial<LocalSettings>) =>
    makeLocalPipeline({ ...input, settings: { ...settings, ...other } }).pipeline !== undefined;
  for (let scaleFactor = settings.scaleFactor - 1; scaleFactor >= localFactors.min; scaleFactor--)
    if (works({ scaleFactor })) return `${why} ${text.largestFactor(scaleFactor)}`;
  const usesModel = isAiEngine(settings.engine);
  return `${why} ${usesModel && works({ engine: 'standard' }) ? text.useStandard : text.noScale}`;
}

const GB = 1024 ** 3;

/**
 * WebAssembly module with a single function that uses a SIMD instruction (WebAssembly 2.0). It is valid only if the
 * browser supports SIMD.
 */
const simdModule = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/** Share of the device's memory that a run may use, and the upper limit in bytes. Browsers may not give a tab more. */
const maxMemoryShare = 0.4;
const maxMemoryBytes = 3 * GB;
/** Usable memory in bytes for browsers that don't report it. iPhones terminate tabs that use more than about 1 GB. */
const fallbackMemoryBytes = { touch: 0.8 * GB, other: 2 * GB };
/**
 * Maximum canvas size in pixels that all current browsers support. `touch`: the limit on iOS, used for all touch
 * devices. It limits results, because JPEG and WebP are encoded from a canvas.
 */
const maxCanvasPixels = { touch: 16_777_216, other: 120_000_000 };
const maxCanvasSide = 16_384;

type Device = {
  /** Whether the page is a secure context. Checksums require one. */
  isSecure: boolean;
  /** Whether the browser can run models. The model runtime requires SIMD. */
  runsModels: boolean;
  memoryBytes: number;
  canvas: { pixels: number; side: number };
};

export function readDevice(): Device {
  const { deviceMemory } = navigator as Navigator & { deviceMemory?: number };
  const kind = matchMedia('(pointer: coarse)').matches ? 'touch' : 'other';
  const memoryBytes = deviceMemory ? deviceMemory * GB * maxMemoryShare : fallbackMemoryBytes[kind];
  return {
    isSecure: isSecureContext,
    runsModels: typeof WebAssembly === 'object' && WebAssembly.validate(simdModule),
    memoryBytes: Math.min(maxMemoryBytes, memoryBytes),
    canvas: { pixels: maxCanvasPixels[kind], side: maxCanvasSide },
  };
}
