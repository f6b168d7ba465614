import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locateCustomModel, ModelError } from '@uprez/models/custom/custom-model';
import { encodeModel, imagePorts, node, tensor } from '@uprez/models/onnx/onnx-graph';
import { probeJail } from '@uprez/runtime/jail';
import { makeCompact, makeRrdb, makeSpan } from '@uprez/testing/models/architectures';
import { makeRandom } from '@uprez/testing/random';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkInJail } from '../src/custom-models/check-in-jail.ts';

// The built file. The tests themselves run with the condition that resolves packages to their sources.
const command = fileURLToPath(new URL('../dist/add-model.js', import.meta.url));
const statements = ['--title', 'Test', '--license', 'MIT', '--source', 'a test', '--for', 'photos'];
const compact = makeCompact(makeRandom(1), { scale: 2, features: 8, blocks: 2 });
let modelsDir = '';

beforeEach(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'uprez-custom-models-'));
});
afterEach(() => rm(modelsDir, { recursive: true }));

/** Runs the command with a model in a file. */
async function addModel(model: Uint8Array | string, ...args: string[]) {
  const file = typeof model === 'string' ? model : join(modelsDir, 'source.onnx');
  if (typeof model !== 'string') await writeFile(file, model);
  const env = { ...process.env, MODELS_DIR: modelsDir };
  const child = spawn(process.execPath, [command, file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [code] = await once(child, 'close');
  return { code, output };
}

const listCustom = () => readdir(join(modelsDir, 'custom')).catch(() => []);

test.each([
  ['compact', compact, 2],
  ['span', makeSpan(makeRandom(2), { scale: 3, features: 8, blocks: 2 }), 3],
  ['rrdb', makeRrdb(makeRandom(3), { features: 8, blocks: 1 }), 4],
])('installs %s with its measurements', async (name, model, scale) => {
  const { code, output } = await addModel(model, '--name', name, ...statements);
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining(`--engine custom:${name}`) });
  const located = await locateCustomModel(modelsDir, name);
  expect(located).toMatchObject({ title: 'Test', license: 'MIT', source: 'a test', for: 'photos', scale });
  expect(await readFile(located.path)).toEqual(Buffer.from(model));
  expect(await listCustom()).toEqual([name]);
});

test('keeps an installed model when the name is used again', async () => {
  await addModel(compact, '--name', 'mine', ...statements);
  const before = await locateCustomModel(modelsDir, 'mine');
  const span = makeSpan(makeRandom(2), { scale: 2, features: 8, blocks: 1 });
  const { code, output } = await addModel(span, '--name', 'mine', ...statements);
  expect(code).toBe(1);
  expect(output).toContain('already exists. Delete it, or choose another name.');
  expect(await locateCustomModel(modelsDir, 'mine')).toEqual(before);
  expect(await listCustom()).toEqual(['mine']);
});

test.each([
  [['--name', '../evil', ...statements]],
  [['--name', 'mine']],
  [['--name', 'mine', ...statements, '--for', 'music']],
  [['--color', 'red']],
])('prints the usage with exit code 2 for %j', async (args) => {
  const { code, output } = await addModel(compact, ...args);
  expect(code).toBe(2);
  expect(output).toContain('Usage: npm run models:add FILE');
  expect(await listCustom()).toEqual([]);
});

test('rejects a file of 2 GB without reading it', async () => {
  const path = join(modelsDir, 'large.onnx');
  const file = await open(path, 'w');
  await file.truncate(2 * 1024 ** 3);
  await file.close();
  const { code, output } = await addModel(path, '--name', 'large', ...statements);
  expect({ code, output }).toEqual({
    code: 1,
    output: "The model wasn't added. The file is larger than 256 MB. Use a smaller model.\n",
  });
});

test.each([
  ['text', Buffer.from('This is not a model.'), "isn't an ONNX model"],
  ['an empty file', Buffer.alloc(0), 'is empty'],
  ['a truncated model', compact.slice(0, -50), "isn't an ONNX model"],
])('rejects %s and installs nothing', async (_, bytes, reason) => {
  const { code, output } = await addModel(bytes, '--name', 'bad', ...statements);
  expect(code).toBe(1);
  expect(output).toContain(reason);
  expect(await listCustom()).toEqual([]);
});

test.each(['/dev/zero', '/nowhere.onnx', '/tmp'])('rejects %s', async (path) => {
  const { code, output } = await addModel(path, '--name', 'bad', ...statements);
  expect(code).toBe(1);
  expect(output).toContain("The model wasn't added.");
});

describe('the jail', () => {
  const jail = probeJail('auto');

  /** A model that passes the static check but asks for a tensor of 120 GB. */
  function makeBomb(): Uint8Array {
    const nodes = [
      node('Pad', 'large', ['data', 'pads']),
      node('Slice', 'output', ['large', 'starts', 'ends', 'axes']),
    ];
    const list = (name: string, values: bigint[]) => tensor(name, [values.length], BigInt64Array.from(values));
    const tensors = [
      list('pads', [0n, 0n, 0n, 0n, 0n, 0n, 100_000n, 100_000n]),
      ...[list('starts', [0n]), list('ends', [1n]), list('axes', [2n])],
    ];
    return encodeModel([{ nodes, tensors }], imagePorts, false);
  }

  test('rejects a model that asks for a huge tensor', async () => {
    await expect(checkInJail(Buffer.from(makeBomb()), jail)).rejects.toThrow(ModelError);
  });

  test('ends a check that exceeds its memory', async () => {
    const large = makeRrdb(makeRandom(3), { features: 64, blocks: 8 });
    const limits = { checkMemoryBytes: 250 * 1024 ** 2 };
    await expect(checkInJail(Buffer.from(large), jail, limits)).rejects.toThrow('more than 250 MB of memory');
  });

  test('ends a check that exceeds its time', async () => {
    const large = makeRrdb(makeRandom(3), { features: 64, blocks: 8 });
    await expect(checkInJail(Buffer.from(large), jail, { checkSeconds: 1 })).rejects.toThrow(
      'took more than 1 seconds',
    );
  });
});
