import { availableParallelism } from 'node:os';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import type { Figures } from '@uprez/testing/bench-report';
import { openNetworks } from '../src/engine/open-networks.ts';
import { runPipeline } from '../src/engine/run-pipeline.ts';
import { makeJobDir, pipelineFor } from '../test/support/run-job.ts';
import { makeJpeg, median } from './bench-images.ts';

const runs = 7;

/** Measures milliseconds from the start of a warm `photo-fast` job of 1 MP to the start and end of its first tile. */
export async function firstTile(): Promise<Figures> {
  const file = await makeJpeg(1_200, 900);
  const pipeline = await pipelineFor(file, { engine: 'photo-fast', scaleFactor: 4, format: 'jpeg' });
  const modelsDir = modelsDirOfEnvironment();
  const networks = await openNetworks({ engines: ['photo-fast'], modelsDir, threads: availableParallelism() });
  const { 'photo-fast': network } = networks;
  if (!network) throw new Error('photo-fast is not installed');
  const { dir, remove } = await makeJobDir(file);
  const [begun, done]: [number[], number[]] = [[], []];
  const sides = new Set<number>();
  for (let i = 0; i <= runs; i++) {
    const abort = new AbortController();
    const start = performance.now();
    const run: typeof network.run = async (tile, side) => {
      const begins = performance.now() - start;
      const drawn = await network.run(tile, side);
      // The first run is a warm-up. Each run is aborted after its first tile.
      if (i > 0 && !abort.signal.aborted) {
        begun.push(begins);
        done.push(performance.now() - start);
        sides.add(side);
      }
      abort.abort();
      return drawn;
    };
    const job = { pipeline, dir, networks: { 'photo-fast': { ...network, run } }, signal: abort.signal };
    await runPipeline({ ...job, onProgress: () => {} }).catch((error) => {
      if (!abort.signal.aborted) throw error;
    });
  }
  await remove();
  await network.close();
  const [first, last] = [begun, done].map((times) => median(times));
  console.log(`photo-fast, first tile (${[...sides]} px) done after ${last?.toFixed()} ms`);
  return { 'from the start of a job to its first tile': { value: first ?? Number.NaN, unit: 'ms' } };
}
