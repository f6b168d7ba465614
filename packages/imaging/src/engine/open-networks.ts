import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, cpus, platform } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AiDevice, AiEngine } from '@uprez/contracts/policy/images/engines';
import { sha256 } from '@uprez/models/files/sha256';
import { locateModel } from '@uprez/models/locate-model';
import { applyRecipe } from '@uprez/models/onnx/apply-recipe';
import { type Recipe, recipeSchema } from '@uprez/models/onnx/recipe';
import * as z from 'zod';
import { drawImage } from '../calibrate/draw-image.ts';
import { networkTraits } from '../pipeline/choose-passes.ts';
import { openStripPool, type StripPool } from './strips/threads/open-strip-pool.ts';
import { type Network, openLazily, openNetwork } from './upscaler/network.ts';

type NetworkOptions = {
  engines: readonly AiEngine[];
  modelsDir: string;
  threads: number;
  devices?: readonly AiDevice[];
};

/**
 * Loads the installed models. Each runs on the best device that gives correct results. Reports models that can't be
 * loaded on stderr.
 */
export async function openNetworks({ engines, modelsDir, threads, devices = ['cpu'] }: NetworkOptions) {
  const networks: Partial<Record<AiEngine, Network>> = {};
  const pool = engines.length > 0 ? await openStripPool(threads) : undefined;
  for (const engine of engines) {
    try {
      const path = await locateModel(modelsDir, engine);
      const [fp32, recipe] = [await readFile(path), await findRecipe(engine)];
      const strips = pool && { pool, isInt8Only: networkTraits[engine].strip.isInt8Only };
      networks[engine] = await openNetworkOnDevice({ fp32, recipe, threads, devices, strips, cacheFolder: modelsDir });
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
  return networks;
}

/** Loads the INT8 recipe of an engine. Returns undefined if it has none. Throws if the file is damaged. */
export async function findRecipe(engine: string): Promise<Recipe | undefined> {
  const path = fileURLToPath(new URL(`../../recipes/${engine}.int8.json`, import.meta.url));
  try {
    return recipeSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Minimum PSNR relative to the CPU's result, in dB. Detects devices that compute wrong results. */
const minDevicePsnrDb = 45;

type DeviceOptions = VariantOptions & {
  /** Devices in order of preference. The CPU is the fallback, and entries after `cpu` are ignored. */
  devices: readonly AiDevice[];
};

/**
 * Loads a model on the first device with results that match the CPU's. Falls back to the CPU. Writes device errors to
 * stderr.
 */
export async function openNetworkOnDevice(options: DeviceOptions): Promise<Network> {
  for (const device of options.devices) {
    if (device === 'cpu') break;
    const network = await tryOpenOnDevice(options, device).catch((error: unknown) => {
      console.error(`device ${device} skipped: ${firstLineOfError(error)}`);
    });
    if (network) return network;
  }
  return openBestVariant(options);
}

const firstLineOfError = (error: unknown) => String(error instanceof Error ? error.message : error).split('\n')[0];

async function tryOpenOnDevice(options: DeviceOptions, device: AiDevice): Promise<Network> {
  const { fp32, threads } = options;
  const network = await openNetwork(fp32, threads, device);
  const reference = await openNetwork(fp32, threads);
  try {
    const psnr = await compareNetworks(reference, network);
    if (!(psnr >= minDevicePsnrDb))
      throw new Error(`PSNR of ${psnr.toFixed(1)} dB to the CPU, minimum ${minDevicePsnrDb} dB`);
    const reason = `${device} matches the CPU`;
    return withCpuFallback({ ...network, device, variant: 'fp32', reason }, () => openBestVariant(options));
  } catch (error) {
    await network.close();
    throw error;
  } finally {
    await reference.close();
  }
}

/** Wraps a network. If its device fails, the wrapper switches to the CPU permanently. */
export function withCpuFallback(onDevice: Network, openOnCpu: () => Promise<Network>): Network {
  let current = onDevice;
  const run: Network['run'] = async (tile, side) => {
    try {
      return await current.run(tile, side);
    } catch (error) {
      if (current !== onDevice) throw error;
      console.error(`device ${onDevice.device} failed, switching to the CPU: ${firstLineOfError(error)}`);
      current = await openOnCpu();
      await onDevice.close().catch(() => undefined);
      return current.run(tile, side);
    }
  };
  return {
    get device() {
      return current.device;
    },
    get strips() {
      return current.strips;
    },
    get variant() {
      return current.variant;
    },
    get reason() {
      return current === onDevice ? onDevice.reason : `${onDevice.device} failed; ${current.reason}`;
    },
    openFp32: () => current.openFp32?.() ?? openOnCpu(),
    run,
    close: () => current.close(),
  };
}

/**
 * Minimum PSNR of INT8 relative to FP32, in dB. CPUs without VNNI fall far below this, because their sums overflow 16
 * bits.
 */
const minInt8PsnrDb = 36;

const describeInt8 = (psnrDb: number) =>
  `INT8 has a PSNR of ${psnrDb.toFixed(1)} dB to FP32 on this CPU, minimum ${minInt8PsnrDb} dB`;

/** `strips`: thread pool for running the model in strips. Without it, the model runs only in tiles. */
type VariantOptions = {
  fp32: Uint8Array;
  recipe: Recipe | undefined;
  threads: number;
  strips?: { pool: StripPool; isInt8Only: boolean } | undefined;
  /** Folder in which to cache the comparison of the INT8 and FP32 variants. By default, it isn't cached. */
  cacheFolder?: string;
};

/**
 * Loads a model in INT8 if its results match FP32 on this CPU. Otherwise, loads it in FP32. `reason` explains the
 * choice.
 */
export async function openBestVariant(options: VariantOptions): Promise<Network> {
  const { fp32, recipe, threads, strips, cacheFolder } = options;
  const openFp32 = async (reason: string): Promise<Network> => {
    const pool = strips?.isInt8Only ? undefined : strips?.pool;
    return { ...(await openModel(fp32, { threads, pool })), variant: 'fp32', reason };
  };
  if (!recipe) return openFp32('no INT8 recipe');
  const cache = cacheFolder && (await openVariantCache({ folder: cacheFolder, ...recipe }));
  const known = cache ? await cache.read() : undefined;
  // If INT8 is known to be too inaccurate, doesn't open it. Opening and then closing it would leave the pool without a
  // model, which stops the pool's threads.
  if (known !== undefined && known < minInt8PsnrDb) return openFp32(describeInt8(known));
  const reference = known === undefined ? await openFp32('') : undefined;
  const compare = async (int8: Network): Promise<number> => {
    if (!reference) return known as number;
    const psnr = await compareNetworks(reference, int8);
    if (cache) await cache.write(psnr);
    return psnr;
  };
  const tried = await tryOpenInt8({ ...options, recipe }, compare);
  if (typeof tried === 'string') return reference ? { ...reference, reason: tried } : openFp32(tried);
  await reference?.close();
  return { ...tried, openFp32: () => openFp32('requested') };
}

type Int8Options = VariantOptions & { recipe: Recipe };

/**
 * Opens a model for tiles. With a pool, also opens it for strips. Most images run in strips, so the tile model is then
 * loaded only on first use.
 */
async function openModel(
  model: Uint8Array,
  { threads, pool }: { threads: number; pool: StripPool | undefined },
): Promise<Network> {
  if (!pool) return openNetwork(model, threads);
  const tiles = openLazily(() => openNetwork(model, threads));
  const strips = pool.addModel(model);
  const close = async () => {
    await strips.close();
    await tiles.close();
  };
  return { ...tiles, strips, close };
}

/**
 * Loads the INT8 variant. If it fails or its results don't match, returns the reason instead. `compare`: returns the
 * variant's PSNR relative to FP32, in dB.
 */
async function tryOpenInt8(
  { fp32, recipe, threads, strips }: Int8Options,
  compare: (int8: Network) => Promise<number>,
) {
  try {
    const int8 = await openModel(applyRecipe(fp32, recipe), { threads, pool: strips?.pool });
    const psnr = await compare(int8);
    const reason = describeInt8(psnr);
    if (psnr >= minInt8PsnrDb) return { ...int8, variant: 'int8' as const, reason };
    await int8.close();
    return reason;
  } catch (error) {
    return `INT8 failed: ${error instanceof Error ? error.message : error}`;
  }
}

/** Creates small images that are difficult for INT8, because they have saturated colors, hard edges, or noise. */
const makeTestImages = () => [drawImage('petals', 64, 1), drawImage('lines', 48, 2), drawImage('noise', 48, 3)];

/** Returns the PSNR of two images with samples 0-1, in dB. Infinity if they are identical. */
export function measurePsnrDb(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += ((one[i] as number) - (other[i] as number)) ** 2;
  return -10 * Math.log10(sum / one.length);
}

async function compareNetworks(reference: Network, other: Network): Promise<number> {
  let worst = Number.POSITIVE_INFINITY;
  for (const { planes, side } of makeTestImages()) {
    const psnr = measurePsnrDb(await reference.run(planes, side), await other.run(planes, side));
    worst = Number.isNaN(psnr) ? Number.NEGATIVE_INFINITY : Math.min(worst, psnr);
  }
  return worst;
}

/** `key`: hash of everything that affects the measured PSNR. */
const entrySchema = z.object({ key: z.string(), psnrDb: z.number() });

type VariantCache = { read: () => Promise<number | undefined>; write: (psnrDb: number) => Promise<void> };

type VariantCacheOptions = { folder: string } & Pick<Recipe, 'fp32Sha256' | 'int8Sha256'>;

/**
 * Caches the comparison of two variants of a model on this processor. Ignores files that are missing, unreadable, or
 * invalid, and files for another processor, model, or ONNX Runtime version. Does nothing if the folder isn't writable.
 */
export async function openVariantCache({ folder, fp32Sha256, int8Sha256 }: VariantCacheOptions): Promise<VariantCache> {
  const { version } = z.object({ version: z.string() }).parse(require('onnxruntime-node/package.json'));
  const key = sha256(Buffer.from(JSON.stringify([await describeCpu(), version, fp32Sha256, int8Sha256])));
  const path = join(folder, `int8-${key.slice(0, 16)}.json`);
  const read = async () => {
    const { data } = entrySchema.safeParse(await readJson(path));
    return data?.key === key ? data.psnrDb : undefined;
  };
  const write = (psnrDb: number) => replaceFile(path, JSON.stringify({ key, psnrDb }));
  return { read, write };
}

const require = createRequire(import.meta.url);

/** Describes the processor. Includes its instruction sets, because virtual machines hide the exact model. */
async function describeCpu(): Promise<string[]> {
  const info = platform() === 'linux' ? await readFile('/proc/cpuinfo', 'utf8').catch(() => '') : '';
  const lines = info.split('\n\n', 1)[0]?.match(/^(?:model|model name|stepping|flags|Features)\s*:.*$/gm) ?? [];
  return [platform(), arch(), cpus()[0]?.model ?? '', ...lines];
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Replaces a file atomically. Does nothing if its folder isn't writable. */
async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.${randomUUID()}`;
  try {
    await writeFile(part, text, { flag: 'wx', mode: 0o644 });
    await rename(part, path);
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}
