import type { RunTile } from '@uprez/imaging/browser/upscale-raster';
import glueUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import * as ort from 'onnxruntime-web/webgpu';
import { withTimeout } from '../../../lib/browser/with-timeout.ts';
import { openTileSession, type ProbeResult } from './tile-session.ts';

/** Maximum difference from the CPU's result. A larger difference means that the GPU computes wrong results. */
const tolerance = 2 / 255;
/** Timeout in milliseconds. It is long, because shaders may have to be compiled first and the device may be busy. */
const baseTimeoutMs = 10_000;
/** A tile times out if it takes this many times as long as the probe predicts, in addition to `baseTimeoutMs`. */
const maxSlowdown = 20;

export type GpuModel = { runTile: RunTile; pixelsPerSecond: number };

/**
 * Loads a model on the GPU. Throws Error if the GPU isn't faster than `reference` in the probe, or if their results
 * differ. The returned `runTile` throws Error if the device fails or hangs.
 */
export async function openGpuModel(model: Uint8Array, reference: ProbeResult): Promise<GpuModel> {
  ort.env.wasm.wasmPaths = { mjs: glueUrl, wasm: wasmUrl };
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  const session = await openTileSession({ runtime: ort, model, provider: 'webgpu' });
  const { samples, pixelsPerSecond } = await withTimeout(session.probe(), baseTimeoutMs);
  if (pixelsPerSecond <= reference.pixelsPerSecond) throw new Error('slower than the processor');
  const difference = maxDifference(samples, reference.samples);
  if (!(difference <= tolerance)) throw new Error(`differs by ${(255 * difference).toFixed(1)} of 255`);
  const runTile: RunTile = (tile, side) =>
    withTimeout(session.runTile(tile, side), baseTimeoutMs + (maxSlowdown * 1_000 * side ** 2) / pixelsPerSecond);
  return { runTile, pixelsPerSecond };
}

/** Returns the largest difference. Returns NaN if a sample is NaN, which fails every comparison. */
const maxDifference = (one: Float32Array, other: Float32Array) =>
  one.reduce((most, sample, i) => Math.max(most, Math.abs(sample - (other[i] as number))), 0);
