import { expect, it } from 'vitest';
import { keepSpeeds } from './keep-speeds.ts';

const run = {
  engine: 'photo-fast',
  tile: { core: 76, overlap: 12, fade: 0 },
  tiles: 10,
  stagesMs: { enlarge: 1_000 },
} as const;

it('counts the pixels that the network saw, and follows new runs slowly', () => {
  const speeds = keepSpeeds();
  expect(speeds.get('photo-fast')).toBeUndefined();
  speeds.add(run);
  expect(speeds.get('photo-fast')).toBe(100_000);
  speeds.add({ ...run, stagesMs: { enlarge: 2_000 } });
  expect(speeds.get('photo-fast')).toBe(85_000);
});

it('takes nothing from runs of few tiles or without a network', () => {
  const speeds = keepSpeeds();
  speeds.add({ ...run, tiles: 3 });
  speeds.add({ ...run, engine: 'standard' });
  expect(speeds.get('photo-fast')).toBeUndefined();
});
