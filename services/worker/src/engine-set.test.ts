import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
