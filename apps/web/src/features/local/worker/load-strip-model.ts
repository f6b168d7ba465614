import type { LoadStripModel } from '@uprez/imaging/browser/open-strips';
import type * as ort from 'onnxruntime-web/wasm';

/** What is needed of the runtime. */
type Runtime = Pick<typeof ort, 'InferenceSession' | 'Tensor'>;
type RunStrip = Awaited<ReturnType<LoadStripModel>>;

/** Load a strip model with WebAssembly. Throws Error. */
export async function loadStripModel(runtime: Runtime, model: Uint8Array): Promise<RunStrip> {
  const session = await runtime.InferenceSession.create(model, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
    // Patterns are stored for every shape, and strips at the ends of an image have many.
    enableMemPattern: false,
  });
  // Outputs are new arrays, because WebAssembly has a memory of its own.
  return async (inputs, outputs) => {
    const feeds = Object.entries(inputs).map(([name, { type, data, dims }]) => [
      name,
      new runtime.Tensor(type, data as Float32Array, dims),
    ]);
    const results = await session.run(Object.fromEntries(feeds), Object.keys(outputs));
    return results as Awaited<ReturnType<RunStrip>>;
  };
}
