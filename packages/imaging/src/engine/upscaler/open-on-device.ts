import type { AiDevice } from '@uprez/contracts/policy/engines';
import { compareNetworks } from './compare-networks.ts';
import type { Network } from './network.ts';
import { openBestVariant, type VariantOptions } from './open-best-variant.ts';
import { openNetwork } from './open-network.ts';

/** Minimum PSNR to the CPU's result, dB. Detects devices that compute wrong results. */
const minPsnrDb = 45;

export type DeviceOptions = VariantOptions & {
  /** In order of preference. The CPU is the fallback, and entries after `cpu` are ignored. */
  devices: readonly AiDevice[];
};

/** Load a model on the first device whose results match the CPU's, or on the CPU. Errors of devices go to stderr. */
export async function openOnDevice(options: DeviceOptions): Promise<Network> {
  for (const device of options.devices) {
    if (device === 'cpu') break;
    const network = await tryDevice(options, device).catch((error: unknown) => {
      console.error(`device ${device} skipped: ${firstLine(error)}`);
    });
    if (network) return network;
  }
  return openBestVariant(options);
}

const firstLine = (error: unknown) => String(error instanceof Error ? error.message : error).split('\n')[0];

async function tryDevice(options: DeviceOptions, device: AiDevice): Promise<Network> {
  const { fp32, threads } = options;
  const network = await openNetwork(fp32, threads, device);
  const reference = await openNetwork(fp32, threads);
  try {
    const psnr = await compareNetworks(reference, network);
    if (!(psnr >= minPsnrDb)) throw new Error(`PSNR of ${psnr.toFixed(1)} dB to the CPU, minimum ${minPsnrDb} dB`);
    const reason = `${device} matches the CPU`;
    return withCpuFallback({ ...network, device, variant: 'fp32', reason }, () => openBestVariant(options));
  } catch (error) {
    await network.close();
    throw error;
  } finally {
    await reference.close();
  }
}

/** Wrap a network to switch to the CPU permanently when its device fails. */
export function withCpuFallback(onDevice: Network, openOnCpu: () => Promise<Network>): Network {
  let current = onDevice;
  const run: Network['run'] = async (tile, side) => {
    try {
      return await current.run(tile, side);
    } catch (error) {
      if (current !== onDevice) throw error;
      console.error(`device ${onDevice.device} failed, switching to the CPU: ${firstLine(error)}`);
      current = await openOnCpu();
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
    openFp32: () => current.openFp32?.() ?? openOnCpu(),
    run,
    close: () => current.close(),
  };
}
