import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { planImage } from '../plan/plan-image.ts';
import { endWith, type Usage } from './ask-child.ts';
import type { Bench } from './bench.ts';
import type { FileReport } from './file-report.ts';
import { inspectBytes } from './inspect-bytes.ts';
import { makeResult } from './make-result.ts';

/**
 * Run one file the way the product does: inspected in its child, planned within the limits that hold for everyone, made
 * in the engine's child; then the result is inspected like an upload.
 */
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
  if (!outcome.ok) return { ...facts, ...usage, inspection, ...endWith(outcome.refusal.code, outcome.refusal.detail) };
  const { plan } = outcome;
  const made = await makeResult(bench, { plan, source }, usage);
  return { ...facts, ...usage, inspection, plan, ...made };
}
