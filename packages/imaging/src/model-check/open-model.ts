import * as ort from 'onnxruntime-node';

/** Planar RGB floats 0-1. */
export type Planes = { data: Float32Array; width: number; height: number };

/** A model with one input and one output, at its own scale. `run` blocks the thread. */
export type OpenedModel = { run: (image: Planes) => Promise<Planes>; close: () => Promise<void> };

const logSeverityLevel = 3;

/** Opens a model on the CPU. Throws what ONNX Runtime throws. */
export async function openModel(model: Uint8Array, threads: number): Promise<OpenedModel> {
  const session = await ort.InferenceSession.create(model, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    logSeverityLevel,
  });
  const [input = '', output = ''] = [session.inputNames[0], session.outputNames[0]];
  const run = async ({ data, width, height }: Planes): Promise<Planes> => {
    const results = await session.run({ [input]: new ort.Tensor('float32', data, [1, 3, height, width]) });
    const made = results[output];
    const [batch, channels, madeHeight, madeWidth] = made?.dims ?? [];
    if (!(made?.data instanceof Float32Array) || made.dims.length !== 4 || batch !== 1 || channels !== 3)
      throw new Error(`the output has the shape ${made?.dims.join(' x ')}, not 1 x 3 x height x width`);
    return { data: made.data, width: madeWidth as number, height: madeHeight as number };
  };
  return { run, close: () => session.release() };
}
