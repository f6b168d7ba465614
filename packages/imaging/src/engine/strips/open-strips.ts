import { writeStripModels } from '@uprez/models/streaming/write-strip-models';
import * as ort from 'onnxruntime-node';
import { joinParts, type StripNetwork } from './strip-network.ts';
import type { StripPart } from './strip-run.ts';
import type { RunStrip, StripTensor, StripTensors } from './strip-tensor.ts';

/**
 * Opens a model's strip networks on the CPU. Bands use separate strip models. Strip models are loaded when they are
 * first opened.
 */
export type StripModel = {
  open: (options?: { inBands: boolean }) => Promise<StripNetwork>;
  close: () => Promise<void>;
};

type LoadedPart = StripPart & { session: ort.InferenceSession };

export function makeStripModel(model: Uint8Array, threads: number): StripModel {
  const loading: Record<string, Promise<LoadedPart[]>> = {};
  const load = (options: { inBands: boolean }) =>
    Promise.all(
      writeStripModels(model, options).map(async ({ model, layout }) => {
        const session = await openSession(model, threads);
        return { layout, session, run: makeRunStrip(session) };
      }),
    );
  return {
    open: async (options = { inBands: false }) => {
      const name = String(options.inBands);
      loading[name] ??= load(options).catch((error: unknown) => {
        delete loading[name];
        throw error;
      });
      return joinParts(await loading[name], options.inBands);
    },
    close: async () => {
      for (const parts of Object.values(loading)) for (const { session } of await parts) await session.release();
    },
  };
}

const openSession = (model: Uint8Array, threads: number) =>
  ort.InferenceSession.create(model, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    // Turns off memory patterns, because one is stored for every shape, and strips at the ends of an image have many
    // shapes.
    enableMemPattern: false,
  });

const toOrtTensor = ({ type, data, dims }: StripTensor) => new ort.Tensor(type, data as Float32Array, dims);

/**
 * Creates a function that runs a session. ONNX Runtime writes the outputs into the given arrays and returns copies. The
 * function returns the given tensors instead of the copies.
 */
const makeRunStrip =
  (session: ort.InferenceSession): RunStrip =>
  async (inputs, outputs) => {
    const [feeds, fetches]: [Record<string, ort.Tensor>, Record<string, ort.Tensor | null>] = [{}, {}];
    for (const [name, tensor] of Object.entries(inputs)) feeds[name] = toOrtTensor(tensor);
    for (const [name, tensor] of Object.entries(outputs)) fetches[name] = tensor && toOrtTensor(tensor);
    const made = (await session.run(feeds, fetches)) as StripTensors;
    const results = Object.entries(outputs).map(([name, tensor]) => [name, tensor ?? made[name]]);
    return Object.fromEntries(results) as StripTensors;
  };
