import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import type { Figures } from '@uprez/testing/bench-report';
import { openNetworks } from '../src/engine/open-networks.ts';
import type { Network } from '../src/engine/upscaler/network.ts';
import { decodeFile } from '../test/support/image-files.ts';
import { streamOf } from '../test/support/image-streams.ts';
import type { Image } from '../test/support/images.ts';
import { pipelineFor, runJob } from '../test/support/run-job.ts';
import { makeJpeg, median } from './bench-images.ts';

const engine = 'photo-fast';
/** Small photos in turns with their network, and one of the size that phones take. */
const cases = [
  { width: 2_000, height: 1_500, rounds: 3 },
  { width: 4_000, height: 3_000, rounds: 1 },
];

/** Measures the stages of whole jobs, JPEG to JPEG at twice the size, and compares them with the network alone. */
export async function stages(): Promise<Figures> {
  const threads = availableParallelism();
  const { [engine]: network } = await openNetworks({ engines: [engine], modelsDir: modelsDirOfEnvironment(), threads });
  if (!network?.strips) return {};
  const figures: Figures = {};
  for (const { width, height, rounds } of cases) {
    const file = await makeJpeg(width, height);
    const pipeline = await pipelineFor(file, { engine, scaleFactor: 2, format: 'jpeg' });
    const image = await decodeFile(file);
    const pairs: { alone: Times; job: Times }[] = [];
    for (let round = 0; round < rounds; round++) {
      const alone = await time(() => runNetwork(network, image, pipeline));
      const { value, ...job } = await time(() => runJob(file, pipeline, { networks: { [engine]: network } }));
      pairs.push({ alone, job });
      const parts = Object.entries(value.report.stagesMs).map(([name, ms]) => `\`${name}\` ${ms} ms`);
      figures[`${describe(pipeline)}, stages`] = { value: parts.join(', ') };
    }
    for (const kind of ['wall', 'cpu'] as const) {
      const [job, alone] = [pairs.map((pair) => pair.job[kind]), pairs.map((pair) => pair.alone[kind])].map(median);
      const ratio = median(pairs.map((pair) => pair.job[kind] / pair.alone[kind]));
      const named = `${describe(pipeline)}, ${kind === 'cpu' ? 'CPU' : kind} time`;
      const times = `${job?.toFixed()} ms (network alone: ${alone?.toFixed()} ms)`;
      if (kind === 'wall') figures[named] = { value: times };
      else console.log(`${named}: ${times}`);
      figures[`${named}, compared with the network alone`] = { value: ratio, atMost: 1.15, unit: 'times' };
    }
  }
  await network.close();
  return figures;
}

const describe = ({ source, output }: ImagePipeline) =>
  `${Math.round((source.width * source.height) / 1e6)} MP to ${Math.round((output.width * output.height) / 1e6)} MP`;

/** Wall and CPU milliseconds. Other work on the machine changes CPU times less. */
type Times = { wall: number; cpu: number };

async function time<T>(work: () => Promise<T>): Promise<Times & { value: T }> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return { value, wall: performance.now() - start, cpu: (user + system) / 1_000 };
}

/** Run the network for an image, without any other work on its rows. */
async function runNetwork({ strips }: Network, image: Image, { strip }: ImagePipeline): Promise<void> {
  if (!strips || !strip) throw new Error('the pipeline has no strips');
  const dir = await mkdtemp(join(tmpdir(), 'uprez-stages-'));
  const signal = new AbortController().signal;
  const unwatched = { onRun: () => {}, onStrip: () => {} };
  const rows = strips.upscale(streamOf(image), { strip, inBands: false, dir, signal, ...unwatched });
  for (let y = 0; y < rows.height; y += 64) await rows.read(Math.min(64, rows.height - y));
  await rm(dir, { recursive: true });
}
