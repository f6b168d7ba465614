import { writeStripModel } from '@uprez/models/streaming/write-strip-model';
import * as ort from 'onnxruntime-node';
import { type StripSize, startStripRun } from './strip-run.ts';

/** A loaded strip model. `start` begins the run over an image. */
export type StripNetwork = { start: (size: StripSize) => ReturnType<typeof startStripRun> };

/** Strips of a model on the CPU. The strip model is loaded when it is first opened. */
export type Strips = { open: () => Promise<StripNetwork>; close: () => Promise<void> };

/** Prepare a model for strips. */
export function makeStrips(model: Uint8Array, threads: number): Strips {
  let loading: Promise<{ session: ort.InferenceSession; network: StripNetwork }> | undefined;
  const load = async () => {
    const strips = writeStripModel(model);
    const session = await ort.InferenceSession.create(strips.model, {
      executionProviders: ['cpu'],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
      // Patterns are stored for every shape, and strips at the ends of an image have many.
      enableMemPattern: false,
    });
    const start = (size: StripSize) =>
      startStripRun(strips.plan, (inputs, outputs) => session.run(inputs, outputs), size);
    return { session, network: { start } };
  };
  return {
    open: async () => {
      loading ??= load();
      return (await loading).network;
    },
    close: async () => (await loading)?.session.release(),
  };
}
