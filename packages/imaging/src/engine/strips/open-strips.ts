import type { Range } from '@uprez/models/streaming/row-ranges';
import { writeStripModels } from '@uprez/models/streaming/write-strip-models';
import * as ort from 'onnxruntime-node';
import { measureBand, startStrips } from './chain-strips.ts';
import type { Band } from './strip-columns.ts';
import type { NextStrip, ReadRows, StripPart, StripSize } from './strip-run.ts';

/** How to run a network over an image. `onRun`: called after each run of a part, with its milliseconds. */
export type StripJob = { size: StripSize; readRows: ReadRows; onRun: (ms: number) => void };

/**
 * A loaded network. `start` begins the run over an image or, if it `runsBands`, over a band. `measure`: the columns of the image that
 * a band reads, and the columns of the result that it completes, which are the last ones of its output.
 */
export type StripNetwork = {
  runsBands: boolean;
  start: (job: StripJob) => NextStrip;
  measure: (band: Band) => { input: Range; output: Range };
};

/** Strips of a model on the CPU, which has other strip models for bands. They are loaded when they are first opened. */
export type Strips = { open: (options?: { inBands: boolean }) => Promise<StripNetwork>; close: () => Promise<void> };

type Loaded = { plan: StripPart['plan']; session: ort.InferenceSession };

/** Prepare a model for strips. */
export function makeStrips(model: Uint8Array, threads: number): Strips {
  const loading: Record<string, Promise<Loaded[]>> = {};
  const load = (options: { inBands: boolean }) =>
    Promise.all(
      writeStripModels(model, options).map(async ({ model, plan }) => ({
        plan,
        session: await openSession(model, threads),
      })),
    );
  return {
    open: async (options = { inBands: false }) => {
      const name = String(options.inBands);
      loading[name] ??= load(options);
      const parts = await loading[name];
      return {
        runsBands: options.inBands,
        start: ({ size, readRows, onRun }) =>
          startStrips(
            parts.map((part) => timed(part, onRun)),
            size,
            readRows,
          ),
        measure: (band) => measureBand(parts, band),
      };
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
