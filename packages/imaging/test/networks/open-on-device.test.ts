import { expect, it, vi } from 'vitest';
import { openNetworkOnDevice, withCpuFallback } from '../../src/engine/open-networks.ts';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { makeStubModel, openStubNetwork } from '../support/stub-network.ts';

const side = 8;
const tile = new Float32Array(3 * side * side).fill(0.5);

it('runs on the CPU and returns the reason when no device is available', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const options = { fp32: makeStubModel(), recipe: undefined, threads: 1 };
  // DirectML is Windows', CoreML is Apple's: a machine has at most one of them.
  const devices = [process.platform === 'win32' ? 'coreml' : 'dml', 'cpu'] as const;
  const network = await openNetworkOnDevice({ ...options, devices });
  expect(network.device ?? 'cpu').toBe('cpu');
  expect(said.mock.calls.flat().join()).toContain(`device ${devices[0]} skipped: `);
  expect((await network.run(tile, side)).length).toBe(tile.length * 16);
  await network.close();
  said.mockRestore();
});

it('switches to the CPU permanently when its device fails', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let runs = 0;
  const failing: Network = {
    device: 'cuda',
    variant: 'fp32',
    reason: 'cuda matches the CPU',
    run: () => {
      runs += 1;
      return Promise.reject(new Error('device lost'));
    },
    close: async () => undefined,
  };
  const network = withCpuFallback(failing, () => openStubNetwork());
  expect(network.device).toBe('cuda');
  const [first, second] = [await network.run(tile, side), await network.run(tile, side)];
  expect(first).toEqual(second);
  expect(runs).toBe(1);
  expect(network.device ?? 'cpu').toBe('cpu');
  expect(network.reason).toMatch(/^cuda failed; /);
  expect(said.mock.calls.flat().join()).toContain('device lost');
  await network.close();
  said.mockRestore();
});
