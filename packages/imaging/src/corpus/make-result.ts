import { chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { jobFiles } from '@uprez/contracts/schemas/child-messages';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { wallLimitMs } from '../plan/wall-limit.ts';
import { askChild, type Usage } from './ask-child.ts';
import type { Bench } from './bench.ts';
import type { FileReport } from './file-report.ts';
import { inspectBytes } from './inspect-bytes.ts';
import { childUser } from './start-child.ts';

type Work = { plan: ImagePlan; source: Buffer };

/** Make a plan's result in a folder of its own, which is removed, and look at what was made. */
export async function makeResult(bench: Bench, { plan, source }: Work, usage: Usage) {
  const dir = await mkdtemp(join(tmpdir(), 'uprez-corpus-'));
  try {
    if (childUser) await chown(dir, childUser.uid, childUser.gid);
    await writeFile(join(dir, jobFiles.source), source);
    const message = { type: 'run', runId: 'corpus', plan, dir } as const;
    const reply = await askChild(bench.engine, { message, limitMs: wallLimitMs(plan, bench.maxJobSeconds) }, usage);
    if ('verdict' in reply) return reply;
    if (reply.said.type !== 'done')
      return { verdict: 'crashed', fault: `the engine's child said ${reply.said.type}` } as const;
    const fault = await checkResult(bench, plan, join(dir, jobFiles.result));
    return {
      verdict: fault ? 'crashed' : 'accepted',
      receipt: reply.said.result,
      ...(fault ? { fault } : {}),
    } as const;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** A result may be larger than what we take as an upload. */
const inputLimits: readonly unknown[] = ['side_too_long', 'too_many_pixels', 'too_many_frames'] satisfies ErrorCode[];

/** What is wrong with a file that was made: it must be readable, and what the plan says. */
async function checkResult(bench: Bench, { output }: ImagePlan, path: string): Promise<FileReport['fault']> {
  if ((await stat(path)).size > limits.uploadBytes) return undefined;
  const found = await inspectBytes(bench.inspector, await readFile(path), { ms: 0, peakBytes: 0 });
  if ('verdict' in found)
    return inputLimits.includes(found.code) ? undefined : `the result cannot be read: ${found.fault ?? found.sentence}`;
  const { inspection } = found;
  const wrong = (['format', 'width', 'height', 'bitDepth'] as const).find((fact) => inspection[fact] !== output[fact]);
  return wrong && `the result's ${wrong} is ${inspection[wrong]}, not ${output[wrong]}`;
}
