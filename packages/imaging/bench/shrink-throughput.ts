import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { guardedSharp } from '../src/decoders.ts';
import { runPlan } from '../src/engine/run-plan.ts';
import { encoders } from '../src/engine/steps/encoders.ts';
import { makeJobDir, planFor } from '../test/run-job.ts';
import { makeJpeg, median } from './bench-pictures.ts';

const pairs = 15;

/**
 * `standard`, a 12 MP JPEG to a JPEG of 1600 pixels, against one bare pipeline of sharp with the same settings, pair by pair in
 * one process: the share of its throughput that the engine keeps. The engine hashes, checks, and makes a thumbnail besides.
 */
export async function shrinkThroughput(): Promise<void> {
  guardedSharp.concurrency(availableParallelism());
  const file = await makeJpeg(4_000, 3_000);
  const plan = await planFor(file, { longSide: 1_600, format: 'jpeg' });
  const { width, height, quality } = plan.output;
  const { dir, remove } = await makeJobDir(file);
  const signal = new AbortController().signal;
  const ours = () => runPlan({ plan, dir, networks: {}, signal, onProgress: () => {} });
  const bare = () => {
    const picture = guardedSharp(file).autoOrient().resize({ width, height, fit: 'fill' });
    return encoders
      .jpeg(picture, { output: plan.output, quality, channels: 3, isTight: false })
      .toFile(join(dir, 'bare'));
  };
  const ms = { ours: [] as number[], bare: [] as number[] };
  for (let i = 0; i <= pairs; i++)
    for (const [name, work] of Object.entries({ ours, bare })) {
      const start = performance.now();
      await work();
      // The first pair warms up.
      if (i > 0) ms[name as keyof typeof ms].push(performance.now() - start);
    }
  await remove();
  const ratio = median(ms.bare.map((value, i) => value / (ms.ours[i] ?? value)));
  console.log(
    `standard 12 MP -> ${width} x ${height} JPEG: ${median(ms.ours).toFixed(0)} ms, bare sharp ${median(ms.bare).toFixed(0)} ms, throughput ${ratio.toFixed(2)}x`,
  );
}
