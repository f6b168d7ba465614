import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sha256 } from '@uprez/models/files/sha256';
import { makeCompact, makeSpan } from '@uprez/testing/models/architectures';
import { makeRandom } from '@uprez/testing/random';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { encodeAs } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';

const command = fileURLToPath(new URL('../../bin/uprez-image.js', import.meta.url));
let dir: string;

/** Installs a model with measurements that `models:add` could have written. */
async function install(name: string, { model, scale }: { model: Uint8Array; scale: number }) {
  const folder = join(dir, 'models', 'custom', name);
  await mkdir(folder, { recursive: true });
  const measured = { scale, radius: 5, overlap: 16, pixelsPerSecond: 10_000, bytesPerPixel: 20_000, psnrDb: 30 };
  const statements = { title: name, license: 'MIT', source: 'a test', for: 'photos' };
  const facts = { ...statements, ...measured, sha256: sha256(model), sizeBytes: model.length };
  await writeFile(join(folder, 'model.onnx'), model);
  await writeFile(join(folder, 'model.json'), JSON.stringify(facts));
}

const span = makeSpan(makeRandom(1), { scale: 2, features: 8, blocks: 1 });

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-custom-cli-'));
  await writeFile(join(dir, 'in.png'), await encodeAs(makePhoto({ width: 250, height: 180 }), 'png'));
  await install('span', { model: span, scale: 2 });
  await install('denoise', { model: makeCompact(makeRandom(2), { scale: 1, features: 4, blocks: 1 }), scale: 1 });
  await install('large', { model: makeCompact(makeRandom(3), { scale: 4, features: 4, blocks: 1 }), scale: 4 });
  await install('changed', { model: span, scale: 2 });
  await writeFile(join(dir, 'models', 'custom', 'changed', 'model.onnx'), span.slice(1));
});
afterAll(() => rm(dir, { recursive: true }));

type Exit = { code: number; stdout: string; stderr: string };
async function run(...args: string[]): Promise<Exit> {
  const env = { PATH: process.env.PATH, MODELS_DIR: join(dir, 'models'), TMPDIR: dir, HOME: dir };
  return promisify(execFile)(process.execPath, [command, 'in.png', ...args], { cwd: dir, env }).then(
    (output) => ({ code: 0, ...output }),
    (error) => error,
  );
}

/** Returns the PSNR of two images of one size, in dB. */
async function compareFiles(one: string, other: string): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map(async (name) =>
      guardedSharp(await readFile(join(dir, name)))
        .removeAlpha()
        .raw()
        .toBuffer(),
    ),
  );
  if (!a || !b || a.length !== b.length) throw new Error('the sizes differ');
  const sum = a.reduce((total, value, i) => total + (value - (b[i] as number)) ** 2, 0);
  return 10 * Math.log10(255 ** 2 / (sum / a.length));
}

it.each([
  ['span', '2', 500],
  ['denoise', '1', 250],
  ['large', '3', 750],
])('upscales in tiles with the custom model %s', async (name, scale, width) => {
  const options = ['--scale', scale, '--engine', `custom:${name}`, '--receipt', 'receipt.json'];
  expect(await run('custom.png', ...options)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`custom:${name}`),
  });
  const receipt = JSON.parse(await readFile(join(dir, 'receipt.json'), 'utf8'));
  expect(receipt).toMatchObject({ engine: `custom:${name}`, width, variant: 'fp32', strips: 0, passes: 1 });
  expect(receipt.tiles).toBeGreaterThan(1);
  if (name === 'span') expect(receipt.model).toBe(sha256(span));
  await run('standard.png', '--scale', scale, '--engine', 'standard');
  expect(await compareFiles('custom.png', 'standard.png')).toBeGreaterThan(25);
});

it('writes a report that names the custom model', async () => {
  expect((await run('out.png', '--engine', 'custom:span', '--report', 'report.html')).code).toBe(0);
  expect(await readFile(join(dir, 'report.html'), 'utf8')).toContain('custom:span');
});

it.each([
  ['custom:missing', [], 'The custom model "missing" isn\'t installed. Add it with: npm run models:add\n', 2],
  ['custom:changed', [], 'The custom model "changed" is damaged. Add it again with: npm run models:add\n', 2],
  ['custom:../span', [], '"engine" must be one of auto,', 1],
  ['custom:span', ['--edges', 'wrap'], '"edges" can\'t be "wrap" with a custom model.', 1],
  ['custom:span', ['--detail', 'crisp'], '"crisp" isn\'t available for custom models.', 1],
] as const)('rejects --engine %s %j', async (...[engine, options, message, code]) => {
  const exit = await run('never.png', '--engine', engine, ...options);
  expect(exit.code).toBe(code);
  expect(exit.stderr).toContain(message);
});
