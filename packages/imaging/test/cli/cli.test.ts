import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspect } from '../../src/inspect/inspect.ts';
import { encodeAs } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';

const command = fileURLToPath(new URL('../../bin/uprez-image.js', import.meta.url));
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-cli-test-'));
  await writeFile(join(dir, 'in.png'), await encodeAs(makePhoto({ width: 64, height: 48 }), 'png'));
  await writeFile(join(dir, 'in.txt'), 'words');
  await writeFile(join(dir, 'mask.png'), await encodeAs(makePhoto({ width: 32, height: 24 }), 'png'));
});
afterAll(() => rm(dir, { recursive: true }));

type Exit = { code: number; stdout: string; stderr: string };
/** Temporary files go to a folder of their own, so that leftovers show. */
async function run(...args: string[]): Promise<Exit> {
  const env = { PATH: process.env.PATH, MODELS_DIR: join(dir, 'no-models'), TMPDIR: dir, HOME: dir };
  return promisify(execFile)(process.execPath, [command, ...args], { cwd: dir, env }).then(
    (output) => ({ code: 0, ...output }),
    (error) => error,
  );
}

it('upscales a file and prints a caption', async () => {
  const { code, stdout } = await run('in.png', 'out.webp', '--scale', '2.5', '--engine', 'standard');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^64 x 48 -> 160 x 120 · \d+\.\d KB -> \d+(\.\d KB| Bytes) · \d+\.\d s · standard\n$/);
  expect(await inspect(await readFile(join(dir, 'out.webp')))).toMatchObject({
    format: 'webp',
    width: 160,
    height: 120,
  });
  expect((await readdir(dir)).sort()).toEqual(['in.png', 'in.txt', 'mask.png', 'out.webp']);
});

it('prints how to fetch a missing model, with exit code 2', async () => {
  const { code, stderr } = await run('in.png', 'never.png', '--engine', 'photo-fast');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "The model for photo-fast isn't installed. Run: npm run models:pull photo-fast\n",
  });
});

it.each([
  [['in.txt', 'out.png'], "This file isn't a supported image."],
  [['missing.png', 'out.png'], 'Couldn\'t read the file "missing.png".'],
  [['/dev/zero', 'out.png'], 'Couldn\'t read the file "/dev/zero".'],
  [['.', 'out.png'], 'Couldn\'t read the file ".".'],
  [['in.png', 'nowhere/out.png'], 'Couldn\'t write to the folder of "nowhere/out.png".'],
  [['in.png', 'out.png', '--scale', '0'], 'must be a number from 0.01 to 128'],
  [['in.png', 'in.png'], 'is used twice'],
  [['in.png', 'out.png', '--report', './out.png'], 'is used twice'],
  [['in.png', '/dev/null', '--format', 'png'], "isn't a regular file"],
  [['in.png', 'out.png', '--receipt', 'nowhere/r.json'], "Couldn't write to the folder"],
  [['in.png', 'out.png', '--mask', 'in.txt'], '"mask" must be a PNG'],
  [['in.png', 'out.png', '--mask', 'missing.png'], 'Couldn\'t read the file "missing.png".'],
  [['in.png', 'mask.png', '--mask', 'mask.png'], 'is used twice'],
  [['in.png', 'out.png', '--mask', 'mask.png', '--engine', 'standard'], '"mask" requires an AI engine'],
  [['in.png'], 'Pass one input file and one output file.'],
])('rejects %j with a message and exit code 1', async (args, sentence) => {
  const { code, stderr, stdout } = await run(...args);
  expect(code).toBe(1);
  expect(stderr).toContain(sentence);
  expect(stdout).toBe('');
});
