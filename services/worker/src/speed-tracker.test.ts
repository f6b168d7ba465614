import { expect, it } from 'vitest';
import { makeSpeedTracker } from './speed-tracker.ts';

const noStrips = { strip: null, strips: 0, bands: 0 };
const run = {
  engine: 'photo-fast',
  tile: { core: 76, overlap: 12, fade: 0 },
  tiles: 10,
  strip: null,
  strips: 0,
  bands: 0,
  variant: 'int8',
  stagesMs: { enlarge: 1_000 },
} as const;

it('returns a running mean of the input pixels per second, overlap included', () => {
  const speeds = makeSpeedTracker();
  expect(speeds.get('photo-fast')).toBeUndefined();
  speeds.add(run, noStrips);
  expect(speeds.get('photo-fast')).toBe(100_000);
  speeds.add({ ...run, stagesMs: { enlarge: 2_000 } }, noStrips);
  expect(speeds.get('photo-fast')).toBe(85_000);
});

it('counts the pixels of strips', () => {
  const speeds = makeSpeedTracker();
  const strips = { tile: null, tiles: 0, strips: 20, bands: 1 };
  const strip = { rows: 16, width: 1_000, border: 34, lag: 20 };
  speeds.add({ ...run, ...strips, strip, stagesMs: { enlarge: 2_000 } }, { ...strips, strip });
  expect(speeds.get('photo-fast')).toBe(150_000);
  speeds.add({ ...run, ...strips, strip, strips: 3 }, { ...strips, strip });
  expect(speeds.get('photo-fast')).toBe(150_000);
});

it('ignores runs with few tiles or without a model', () => {
  const speeds = makeSpeedTracker();
  speeds.add({ ...run, tiles: 3 }, noStrips);
  speeds.add({ ...run, engine: 'standard' }, noStrips);
  expect(speeds.get('photo-fast')).toBeUndefined();
});

it('counts the strips of the pipeline of models that run in tiles, but not those of drawings', () => {
  const speeds = makeSpeedTracker();
  const pipeline = { strip: { rows: 16, width: 1_000, border: 34, lag: 20 }, strips: 20, bands: 1 };
  speeds.add(run, pipeline);
  expect(speeds.get('photo-fast')).toBeUndefined();
  speeds.add({ ...run, variant: 'fp32' }, pipeline);
  expect(speeds.get('photo-fast')).toBe(300_000);
});
