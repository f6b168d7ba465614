import type { RunTile } from '@uprez/imaging/browser/upscale-raster';
import glueUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import * as ort from 'onnxruntime-web/webgpu';
import { withTimeout } from '../../../lib/browser/with-timeout.ts';
import { openTileSession, type ProbeResult } from './tile-session.ts';

/** Maximum difference from the CPU's result. Detects devices that compute wrong results. */
const tolerance = 2 / 255;
/** Timeout that allows for shader compilation and a busy device. */
const baseTimeoutMs = 10_000;
/** Maximum ratio of a tile's time to the time that the probe predicts. */
const maxSlowdown = 20;

export type GpuModel = { runTile: RunTile; pixelsPerSecond: number };

/**
 * Loads a model on the GPU. Throws Error if the GPU isn't faster than the CPU in the probe, or if their results differ.
 * Its `runTile` throws Error if the device fails or hangs.
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

/** Returns the largest difference, or NaN if a sample is NaN. */
const maxDifference = (one: Float32Array, other: Float32Array) =>
  one.reduce((most, sample, i) => Math.max(most, Math.abs(sample - (other[i] as number))), 0);
