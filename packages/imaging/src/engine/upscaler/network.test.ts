import { expect, it } from 'vitest';
import { openLazily } from './network.ts';

it('loads a network once, when it is first run, and again after it was closed', async () => {
  const events: string[] = [];
  const network = openLazily(async () => {
    events.push('opened');
    return {
      run: async (tile) => tile,
      close: async () => void events.push('closed'),
    };
  });
  await network.close();
  expect(events).toEqual([]);
  const tile = new Float32Array(3);
  expect(await Promise.all([network.run(tile, 1), network.run(tile, 1)])).toEqual([tile, tile]);
  await network.close();
  await network.run(tile, 1);
  expect(events).toEqual(['opened', 'closed', 'opened']);
});

it('tries to load a network again after it failed', async () => {
  let tries = 0;
  const network = openLazily(async () => {
    if (++tries === 1) throw new Error('not enough memory');
    return { run: async (tile) => tile, close: async () => {} };
  });
  await expect(network.run(new Float32Array(3), 1)).rejects.toThrow('not enough memory');
  expect(await network.run(new Float32Array(3), 1)).toHaveLength(3);
});
