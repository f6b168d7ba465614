import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { jobFiles } from '@uprez/contracts/schemas/child-messages';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { guardedSharp } from '@uprez/imaging/decoders';
import { runPlan } from '@uprez/imaging/engine/run-plan';
import { makeDistinctPictures } from './distinct-pictures.ts';

/** Makes `count` pictures by this plan with the engine alone, one after another; the first `warmUp` are not counted. */
export type EngineRuns = { plan: ImagePlan; from: number; count: number; warmUp: number };
export type EngineTime = { seconds: number };

const { plan, from, count, warmUp }: EngineRuns = JSON.parse(process.argv[2] ?? '');
guardedSharp.concurrency(os.availableParallelism());
const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-bench-'));
const signal = new AbortController().signal;
const pictures = await makeDistinctPictures(from, count);
const run = async (picture: Buffer) => {
  await fs.writeFile(path.join(dir, jobFiles.source), picture);
  await runPlan({ plan, dir, networks: {}, signal, onProgress: () => {} });
};
for (const picture of pictures.slice(0, warmUp)) await run(picture);
const start = performance.now();
for (const picture of pictures) await run(picture);
const seconds = (performance.now() - start) / 1_000;
await fs.rm(dir, { recursive: true });
process.send?.({ seconds } satisfies EngineTime);
