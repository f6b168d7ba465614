import type { RunTile } from '@uprez/imaging/browser/upscale-raster';
import type * as ort from 'onnxruntime-web/wasm';

const factor = 4;
/** Names of the input and output tensors. Both contain planar RGB floats from 0 to 1. */
const [input, output] = ['data', 'output'];
/** Side length of the probe's tile, and of the tile that runs first to warm up the runtime, in pixels. */
const probeSide = 64;
const warmUpSide = 32;

/**
 * A loaded model. `probe`: runs a tile of 64 x 64 pixels. Returns the result and the speed, in input pixels per second.
 */
export type TileSession = { runTile: RunTile; probe: () => Promise<ProbeResult> };
export type ProbeResult = { samples: Float32Array; pixelsPerSecond: number };

type Runtime = Pick<typeof ort, 'InferenceSession' | 'Tensor'>;
type SessionOptions = { runtime: Runtime; model: Uint8Array; provider: 'wasm' | 'webgpu' };

/** Loads a model. Throws Error if the runtime can't load it. */
export async function openTileSession({ runtime, model, provider }: SessionOptions): Promise<TileSession> {
  const session = await runtime.InferenceSession.create(model, {
    executionProviders: [provider],
    graphOptimizationLevel: 'all',
  });
  const runTile: RunTile = async (tile, side) => {
    const result = await session.run({ [input]: new runtime.Tensor('float32', tile, [1, 3, side, side]) });
    const data = result[output]?.data;
    if (!(data instanceof Float32Array) || data.length !== tile.length * factor ** 2)
      throw new Error('the model did not return an output of four times the size');
    return data;
  };
  const probe = async () => {
    // Also runs the probe's size first on a GPU, because the first run of each size compiles its shaders.
    const sides = provider === 'webgpu' ? [warmUpSide, probeSide] : [warmUpSide];
    for (const side of sides) await runTile(makeProbe(side), side);
    const start = performance.now();
    const samples = await runTile(makeProbe(probeSide), probeSide);
    return { samples, pixelsPerSecond: (1_000 * probeSide ** 2) / Math.max(1, performance.now() - start) };
  };
  return { runTile, probe };
}

/** Returns a test tile with edges and gradients, as planar samples from 0 to 1. */
const makeProbe = (side: number) => Float32Array.from({ length: 3 * side * side }, (_, i) => (i % 251) / 250);
