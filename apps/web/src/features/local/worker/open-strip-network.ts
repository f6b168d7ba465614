import { openChain } from '@uprez/imaging/browser/chain/open-chain';
import { openStrips } from '@uprez/imaging/browser/open-strips';
import type { RasterNetwork } from '@uprez/imaging/browser/upscale-raster';
import type * as ort from 'onnxruntime-web/wasm';
import { loadStripModel } from './load-strip-model.ts';
import { openHelpers } from './open-helpers.ts';

type OpenStrips = NonNullable<RasterNetwork['openStrips']>;
type StripNetwork = Awaited<ReturnType<OpenStrips>>;

/** `pixelsPerSecond`: undefined where strips are about as fast as tiles. */
export type Strips = { openStrips: OpenStrips; pixelsPerSecond: number | undefined };

/** Pixels of the image that is run to measure strips. */
const probe = { width: 256, height: 48, stripRows: 16 };

/** Prepare strips: with our own kernels if they fit the model, else with the runtime. */
export async function prepareStrips(runtime: typeof ort, model: Uint8Array, threads: number): Promise<Strips> {
  try {
    const network = openChain(model, openHelpers(threads - 1));
    return { openStrips: async () => network, pixelsPerSecond: await measure(network) };
  } catch (error) {
    console.warn('kernels skipped:', error);
    return { openStrips: () => openStrips(model, (part) => loadStripModel(runtime, part)), pixelsPerSecond: undefined };
  }
}

/** The first strip prepares the kernels. */
async function measure(network: StripNetwork): Promise<number> {
  const times: number[] = [];
  const next = network.start({
    size: probe,
    readRows: async ({ from, until }) => new Float32Array(3 * (until - from) * probe.width).fill(0.5),
    onRun: (ms) => times.push(ms),
  });
  while (await next());
  return (1_000 * probe.width * probe.stripRows) / Math.max(1, Math.min(...times.slice(1)));
}
