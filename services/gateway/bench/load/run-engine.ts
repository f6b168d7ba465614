import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { jobFiles } from '@uprez/contracts/schemas/jobs/child-messages';
import { guardedSharp } from '@uprez/imaging/decoders';
import { runPipeline } from '@uprez/imaging/engine/run-pipeline';
import { makeDistinctImages } from '../support/distinct-images.ts';

/** Processes `count` images of this plan sequentially in the engine only. The first `warmUp` do not count. */
export type EngineRuns = { plan: ImagePipeline; from: number; count: number; warmUp: number };
export type EngineTime = { seconds: number };

const { plan, from, count, warmUp }: EngineRuns = JSON.parse(process.argv[2] ?? '');
guardedSharp.concurrency(os.availableParallelism());
const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-bench-'));
const signal = new AbortController().signal;
const images = await makeDistinctImages(from, count);
const run = async (image: Buffer) => {
  await fs.writeFile(path.join(dir, jobFiles.source), image);
  await runPipeline({ pipeline: plan, dir, networks: {}, signal, onProgress: () => {} });
};
for (const image of images.slice(0, warmUp)) await run(image);
const start = performance.now();
for (const image of images) await run(image);
const seconds = (performance.now() - start) / 1_000;
await fs.rm(dir, { recursive: true });
process.send?.({ seconds } satisfies EngineTime);
