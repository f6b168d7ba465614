import { chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { jobFiles } from '@uprez/contracts/schemas/child-messages';
import type { ImagePlan, Inspection } from '@uprez/contracts/schemas/image-plan';
import { wallLimitMs } from '../plan/estimate.ts';
import { planImage } from '../plan/plan-image.ts';
import { findMismatch } from './judge-failure.ts';
import { childUser, type KeptChild, type Question } from './keep-child.ts';
import type { FileReport } from './print-reports.ts';
import type { CorpusJob } from './read-corpus-arguments.ts';

type Bench = Pick<CorpusJob, 'folder' | 'recipe' | 'maxJobSeconds'> & { inspector: KeptChild; engine: KeptChild };
/** The end of a file that was rejected, or crashed. */
type End = Pick<FileReport, 'verdict' | 'code' | 'sentence' | 'mismatch'>;
type Usage = Pick<FileReport, 'ms' | 'peakBytes' | 'log'>;

/** Process one file as the product does, within the limits of all plans, and inspect the result. */
export async function runFile(bench: Bench, file: string): Promise<FileReport> {
  const { recipe, maxJobSeconds } = bench;
  const source = await readFile(join(bench.folder, file));
  const usage: Usage = { ms: 0, peakBytes: 0 };
  const facts = { file, sizeBytes: source.length };
  if (source.length > limits.uploadBytes)
    return { ...facts, ...usage, ...endWith('file_too_large', errorCodes.file_too_large.title) };
  const inspected = await inspectBytes(bench.inspector, source, usage);
  if ('verdict' in inspected) return { ...facts, ...usage, ...inspected };
  const { inspection } = inspected;
  const outcome = planImage({
    ...{ recipe, inspection },
    limits: { maxOutputPixels: limits.outputPixels, maxJobSeconds, autoEngine: 'photo-fast' },
  });
  if (!outcome.ok)
    return { ...facts, ...usage, inspection, ...endWith(outcome.rejection.code, outcome.rejection.detail) };
  const { plan } = outcome;
  const made = await makeResult(bench, { plan, source }, usage);
  return { ...facts, ...usage, inspection, plan, ...made };
}

/** Whether a failure counts as a crash depends on its code and on its message. */
function endWith(code: ErrorCode, sentence: string): End {
  const mismatch = findMismatch(code, sentence);
  return { verdict: mismatch ? 'crashed' : 'refused', code, sentence, ...(mismatch && { mismatch }) };
}

async function askChild(kept: KeptChild, question: Question, usage: Usage) {
  const answer = await (await kept.get()).ask(question);
  usage.ms += answer.ms;
  usage.peakBytes = Math.max(usage.peakBytes, answer.peakBytes);
  if (answer.log) usage.log = [usage.log, answer.log].filter(Boolean).join('\n');
  if ('died' in answer) return { verdict: 'crashed', mismatch: `${kept.name} ${answer.died}` } as const;
  if (answer.said.type === 'failed') return endWith(answer.said.code, answer.said.detail);
  return answer.said;
}

async function inspectBytes(
  inspector: KeptChild,
  bytes: Buffer,
  usage: Usage,
): Promise<{ inspection: Inspection } | End> {
  const message = { type: 'inspect', runId: 'corpus', sizeBytes: bytes.length } as const;
  const reply = await askChild(inspector, { message, bytes, limitMs: limits.inspectionMs }, usage);
  if ('verdict' in reply || reply.type === 'inspected') return reply;
  return { verdict: 'crashed', mismatch: `the inspecting child said ${reply.type}` };
}

async function makeResult(bench: Bench, { plan, source }: { plan: ImagePlan; source: Buffer }, usage: Usage) {
  const dir = await mkdtemp(join(tmpdir(), 'uprez-corpus-'));
  try {
    if (childUser) await chown(dir, childUser.uid, childUser.gid);
    await writeFile(join(dir, jobFiles.source), source);
    const message = { type: 'run', runId: 'corpus', plan, dir } as const;
    const reply = await askChild(bench.engine, { message, limitMs: wallLimitMs(plan, bench.maxJobSeconds) }, usage);
    if ('verdict' in reply) return reply;
    if (reply.type !== 'done')
      return { verdict: 'crashed', mismatch: `the engine's child said ${reply.type}` } as const;
    const mismatch = await checkResult(bench, plan, join(dir, jobFiles.result));
    return {
      verdict: mismatch ? 'crashed' : 'accepted',
      receipt: reply.result,
      ...(mismatch && { mismatch }),
    } as const;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Limits of uploads that do not apply to results. */
const inputLimits: readonly unknown[] = ['side_too_long', 'too_many_pixels', 'too_many_frames'] satisfies ErrorCode[];

/** Check that a result is readable and as planned. Returns what is wrong. */
async function checkResult(bench: Bench, { output }: ImagePlan, path: string): Promise<string | undefined> {
  if ((await stat(path)).size > limits.uploadBytes) return undefined;
  const found = await inspectBytes(bench.inspector, await readFile(path), { ms: 0, peakBytes: 0 });
  if ('verdict' in found)
    return inputLimits.includes(found.code)
      ? undefined
      : `the result cannot be read: ${found.mismatch ?? found.sentence}`;
  const { inspection } = found;
  const wrong = (['format', 'width', 'height', 'bitDepth'] as const).find((fact) => inspection[fact] !== output[fact]);
  return wrong && `the result's ${wrong} is ${inspection[wrong]}, not ${output[wrong]}`;
}
