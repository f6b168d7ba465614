import { writeStripModels } from '@uprez/models/streaming/write-strip-models';
import * as ort from 'onnxruntime-node';
import { startStrips } from './chain-strips.ts';
import type { NextStrip, ReadRows, StripPart, StripSize } from './strip-run.ts';

/** How to run a network over an image. `onRun`: called after each run of a part, with its milliseconds. */
export type StripJob = { size: StripSize; readRows: ReadRows; onRun: (ms: number) => void };

/** A loaded network. `start` begins the run over an image. */
export type StripNetwork = { start: (job: StripJob) => NextStrip };

/** Strips of a model on the CPU. The strip models are loaded when they are first opened. */
export type Strips = { open: () => Promise<StripNetwork>; close: () => Promise<void> };

type Loaded = { plan: StripPart['plan']; session: ort.InferenceSession };

/** Prepare a model for strips. */
export function makeStrips(model: Uint8Array, threads: number): Strips {
  let loading: Promise<Loaded[]> | undefined;
  const load = () =>
    Promise.all(
      writeStripModels(model).map(async ({ model, plan }) => ({ plan, session: await openSession(model, threads) })),
    );
  return {
    open: async () => {
      loading ??= load();
      const parts = await loading;
      return {
        start: ({ size, readRows, onRun }) =>
          startStrips(
            parts.map((part) => timed(part, onRun)),
            size,
            readRows,
          ),
      };
    },
    close: async () => {
      for (const { session } of (await loading) ?? []) await session.release();
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
    // Patterns are stored for every shape, and strips at the ends of an image have many.
    enableMemPattern: false,
  });

function timed({ plan, session }: Loaded, onRun: (ms: number) => void): StripPart {
  const run: StripPart['run'] = async (inputs, outputs) => {
    const start = performance.now();
    const results = await session.run(inputs, outputs);
    onRun(performance.now() - start);
    return results;
  };
  return { plan, run };
}
