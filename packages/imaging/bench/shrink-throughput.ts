import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Figures } from '@uprez/testing/bench-report';
import { guardedSharp } from '../src/decoders.ts';
import { runPipeline } from '../src/engine/run-pipeline.ts';
import { encoders } from '../src/engine/steps/encode.ts';
import { makeJobDir, pipelineFor } from '../test/support/run-job.ts';
import { makeJpeg, median } from './bench-images.ts';

const pairs = 15;

/**
 * Compares `standard` with a plain sharp pipeline of the same settings, from a 12 MP JPEG to a JPEG of 1600 pixels, in
 * pairs in one process. Returns the share of its throughput by wall time on an idle machine, and by CPU time on a busy
 * one. The engine also hashes, checks, and creates a thumbnail.
 */
export async function shrinkThroughput(): Promise<Figures> {
  guardedSharp.concurrency(availableParallelism());
  const file = await makeJpeg(4_000, 3_000);
  const pipeline = await pipelineFor(file, { longSide: 1_600, format: 'jpeg' });
  const { width, height, quality } = pipeline.output;
  const { dir, remove } = await makeJobDir(file);
  const signal = new AbortController().signal;
  const ours = () => runPipeline({ pipeline, dir, networks: {}, signal, onProgress: () => {} });
  const bare = () => {
    const image = guardedSharp(file).autoOrient().resize({ width, height, fit: 'fill' });
    return encoders
      .jpeg(image, { output: pipeline.output, quality, channels: 3, isTight: false })
      .toFile(join(dir, 'bare'));
  };
  const runs: { ours: Spent[]; bare: Spent[] } = { ours: [], bare: [] };
  // The first pair is a warm-up.
  for (let i = 0; i <= pairs; i++)
    for (const [name, work] of Object.entries({ ours, bare })) {
      const spent = await measure(work);
      if (i > 0) runs[name as keyof typeof runs].push(spent);
    }
  await remove();
  const ratios = (['wall', 'cpu'] as const).map((what) => {
    const [mine, theirs] = [runs.ours.map((run) => run[what]), runs.bare.map((run) => run[what])];
    console.log(`${what} time: ${median(mine).toFixed(0)} ms, bare sharp ${median(theirs).toFixed(0)} ms`);
    return median(theirs.map((value, i) => value / (mine[i] ?? value)));
  });
  return {
    // By wall and by CPU time, which differ on a busy machine.
    '`standard`, 12 MP JPEG to 1,600 pixels, throughput compared with sharp alone': {
      value: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} times`,
    },
  };
}

/** Returns wall time and CPU time of all cores, milliseconds. */
type Spent = { wall: number; cpu: number };

async function measure(work: () => Promise<unknown>): Promise<Spent> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - start, cpu: (user + system) / 1_000 };
}
