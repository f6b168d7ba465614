import glueUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import * as ort from 'onnxruntime-web/webgpu';
import { openTileSession, type TileSession } from './tile-session.ts';

/** Minimum PSNR to the processor's result, dB, as on the server. Detects devices that compute wrong results. */
const minPsnrDb = 45;

/**
 * Load a model on the graphics processor. Throws Error when its result for the probe differs from that of the processor, or
 * takes longer.
 */
export async function openGpuModel(model: Uint8Array, threads: number): Promise<TileSession & { version: string }> {
  ort.env.wasm.wasmPaths = { mjs: glueUrl, wasm: wasmUrl };
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  const session = await openTileSession({ runtime: ort, model, provider: 'webgpu' });
  const reference = await openTileSession({ runtime: ort, model, provider: 'wasm' });
  await reference.close();
  const psnr = psnrDb(session.probe, reference.probe);
  const isFaster = session.pixelsPerSecond > reference.pixelsPerSecond;
  if (psnr >= minPsnrDb && isFaster) return { ...session, version: ort.env.versions.web ?? '' };
  await session.close();
  throw new Error(isFaster ? `PSNR of ${psnr.toFixed(1)} dB to the processor` : 'slower than the processor');
}

/** PSNR of two images with samples 0-1, dB. Infinity when they are identical. */
function psnrDb(one: Float32Array, other: Float32Array): number {
  const sum = one.reduce((all, value, i) => all + (value - (other[i] as number)) ** 2, 0);
  return -10 * Math.log10(sum / one.length);
}
