import type { RunTile } from '@uprez/imaging/browser/upscale-raster';
import type * as ort from 'onnxruntime-web/wasm';

const factor = 4;
/** Names of the input and output tensors, which contain planar RGB floats from 0 to 1. */
const [input, output] = ['data', 'output'];
/** Side lengths of the probe's tile, and of the tile that is run before it to prepare the runtime, in pixels. */
const probeSide = 64;
const warmUpSide = 32;

/** A loaded model. `probe`: runs a tile of 64 x 64 pixels, and returns its result and the input pixels per second. */
export type TileSession = { runTile: RunTile; probe: () => Promise<ProbeResult> };
export type ProbeResult = { samples: Float32Array; pixelsPerSecond: number };

/** The parts of a runtime build that are needed. */
type Runtime = Pick<typeof ort, 'InferenceSession' | 'Tensor'>;
type SessionOptions = { runtime: Runtime; model: Uint8Array; provider: 'wasm' | 'webgpu' };

/** Loads a model. Throws Error. */
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
    // On a GPU, the first run of a size compiles its shaders.
    const sides = provider === 'webgpu' ? [warmUpSide, probeSide] : [warmUpSide];
    for (const side of sides) await runTile(makeProbe(side), side);
    const start = performance.now();
    const samples = await runTile(makeProbe(probeSide), probeSide);
    return { samples, pixelsPerSecond: (1_000 * probeSide ** 2) / Math.max(1, performance.now() - start) };
  };
  return { runTile, probe };
}

/** Returns planar samples from 0 to 1 with edges and gradients. */
const makeProbe = (side: number) => Float32Array.from({ length: 3 * side * side }, (_, i) => (i % 251) / 250);
