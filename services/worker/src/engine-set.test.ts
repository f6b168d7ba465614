import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '@uprez/models/files/sha256';
import { modelPath } from '@uprez/models/locate-model';
import { expect, it, onTestFinished } from 'vitest';
import { makeEngineSet } from './engine-set.ts';

it("loads the model for drawings with the operator's engine, if it is installed", async () => {
  const modelsDir = await mkdtemp(join(tmpdir(), 'uprez-engine-set-'));
  onTestFinished(() => rm(modelsDir, { recursive: true, force: true }));
  const engines = makeEngineSet({ AI_ENGINE: 'photo-fast', MODELS_DIR: modelsDir });
  expect(engines.start().engines).toEqual(['photo-fast', 'standard', 'nearest']);
  await writeFile(modelPath(modelsDir, 'art-fast'), 'a model');
  await writeFile(modelPath(modelsDir, 'art'), 'a model');
  expect(engines.start().engines).toEqual(['photo-fast', 'art-fast', 'standard', 'nearest']);
});

it('offers an engine that could not be loaded again when its file is replaced', async () => {
  const modelsDir = await mkdtemp(join(tmpdir(), 'uprez-engine-set-'));
  onTestFinished(() => rm(modelsDir, { recursive: true, force: true }));
  const engines = makeEngineSet({ AI_ENGINE: 'photo-fast', MODELS_DIR: modelsDir });
  const file = modelPath(modelsDir, 'art');
  /** Of a child without AI engines. */
  const ready = { type: 'ready' as const, engines: ['standard' as const], device: 'cpu', networks: [] };
  const offered = () => engines.describe(ready)?.engines;
  await writeFile(file, 'damaged');
  await utimes(file, 1_000, 1_000);
  expect(offered()).toEqual(['art', 'standard']);
  expect(engines.add('art', ready)).toBe(true);
  engines.verify('art', ready);
  expect(offered()).toEqual(['standard']);
  expect(engines.add('art', ready)).toBe(false);
  await writeFile(file, 'whole');
  expect(offered()).toEqual(['art', 'standard']);
  expect(engines.add('art', ready)).toBe(true);
  expect(engines.start().engines).toContain('art');
});

it('offers custom models while they are installed, and loads one again when it is replaced', async () => {
  const modelsDir = await mkdtemp(join(tmpdir(), 'uprez-engine-set-'));
  onTestFinished(() => rm(modelsDir, { recursive: true, force: true }));
  const folder = join(modelsDir, 'custom', 'mine');
  const install = async (model: string) => {
    await mkdir(folder, { recursive: true });
    const measured = { scale: 2, radius: 5, overlap: 16, pixelsPerSecond: 10_000, bytesPerPixel: 20_000, psnrDb: 30 };
    const statements = { title: 'Mine', license: 'MIT', source: 'a test', for: 'photos' };
    const facts = { ...statements, ...measured, sha256: sha256(Buffer.from(model)), sizeBytes: model.length };
    await writeFile(join(folder, 'model.json'), JSON.stringify(facts));
    await writeFile(join(folder, 'model.onnx'), model);
  };
  const engines = makeEngineSet({ AI_ENGINE: 'photo-fast', MODELS_DIR: modelsDir });
  const ready = { type: 'ready' as const, engines: ['standard' as const], device: 'cpu', networks: [] };
  const loaded = { ...ready, engines: ['standard' as const, 'custom:mine' as const] };
  const offered = () => engines.describe(ready)?.engines;
  expect(offered()).toEqual(['standard']);
  expect(engines.add('custom:mine', ready)).toBe(false);

  await install('one');
  expect(offered()).toEqual(['standard', 'custom:mine']);
  expect(engines.describe(ready)?.customModels.get('custom:mine')).toMatchObject({ title: 'Mine', license: 'MIT' });
  expect(engines.start().custom).toEqual([]);
  expect(engines.add('custom:mine', ready)).toBe(true);
  const path = join(folder, 'model.onnx');
  const one = sha256(Buffer.from('one'));
  expect(engines.start().custom).toMatchObject([{ engine: 'custom:mine', path, sha256: one, scale: 2 }]);
  expect(engines.add('custom:mine', loaded)).toBe(false);
  expect(engines.hasCustomModel('custom:mine', one)).toBe(true);

  await install('two');
  expect(engines.hasCustomModel('custom:mine', one)).toBe(false);
  expect(engines.add('custom:mine', loaded)).toBe(true);
  engines.start();
  engines.verify('custom:mine', ready);
  expect(offered()).toEqual(['standard']);

  await rm(folder, { recursive: true });
  await install('three');
  expect(offered()).toEqual(['standard', 'custom:mine']);
  await rm(folder, { recursive: true });
  expect(offered()).toEqual(['standard']);
});
