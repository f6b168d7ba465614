import type { AiDevice } from '@uprez/contracts/policy/engines';
import { compareNetworks } from './compare-networks.ts';
import type { Network } from './network.ts';
import { openNetwork } from './open-network.ts';
import { openQuickNetwork, type QuickOptions } from './open-quick-network.ts';

/** Least likeness to the processor's result, in dB: a device that paints black is found here. */
const leastDb = 45;

export type DeviceOptions = QuickOptions & {
  /** Tried in this order; `cpu` ends the list, and stands behind it. */
  devices: readonly AiDevice[];
};

/**
 * Load a network on the first device that runs it here and gives what the processor gives. Why a device was passed over
 * is said on stderr. Throws when the network cannot be loaded on the processor either.
 */
export async function openOnDevice(options: DeviceOptions): Promise<Network> {
  for (const device of options.devices) {
    if (device === 'cpu') break;
    const network = await tryDevice(options, device).catch((error: unknown) => {
      console.error(`${device} is not used: ${firstLine(error)}`);
    });
    if (network) return network;
  }
  return openQuickNetwork(options);
}

const firstLine = (error: unknown) => String(error instanceof Error ? error.message : error).split('\n')[0];

async function tryDevice(options: DeviceOptions, device: AiDevice): Promise<Network> {
  const { fp32, threads } = options;
  const network = await openNetwork(fp32, threads, device);
  const plain = await openNetwork(fp32, threads);
  try {
    const likeness = await compareNetworks(plain, network);
    if (!(likeness >= leastDb)) throw new Error(`its result is ${likeness.toFixed(1)} dB from the processor's`);
    const reason = `${device} gives what the processor gives`;
    return withProcessor({ ...network, device, variant: 'fp32', reason }, () => openQuickNetwork(options));
  } catch (error) {
    await network.close();
    throw error;
  } finally {
    await plain.close();
  }
}

/** A network that moves to the processor for good when its device fails. */
export function withProcessor(onDevice: Network, openProcessor: () => Promise<Network>): Network {
  let current = onDevice;
  const run: Network['run'] = async (tile, side) => {
    try {
      return await current.run(tile, side);
    } catch (error) {
      if (current !== onDevice) throw error;
      console.error(`${onDevice.device} failed, the processor takes over: ${firstLine(error)}`);
      current = await openProcessor();
      await onDevice.close().catch(() => undefined);
      return current.run(tile, side);
    }
  };
  return {
    get device() {
      return current.device;
    },
    get variant() {
      return current.variant;
    },
    get reason() {
      return current === onDevice ? onDevice.reason : `${onDevice.device} failed; ${current.reason}`;
    },
    openPlain: () => current.openPlain?.() ?? openProcessor(),
    run,
    close: () => current.close(),
  };
}
