import { writeStripModels } from '@uprez/models/streaming/write-strip-models';
import { joinParts, type StripNetwork } from '../engine/strips/strip-network.ts';
import type { RunStrip } from '../engine/strips/strip-tensor.ts';

/** Load a strip model in the runtime of the browser. */
export type LoadStripModel = (model: Uint8Array) => Promise<RunStrip>;

/** Write the strip models of a model, and load them. Throws Error. */
export async function openStrips(model: Uint8Array, load: LoadStripModel): Promise<StripNetwork> {
  const parts = writeStripModels(model).map(async ({ model, layout }) => ({ layout, run: await load(model) }));
  return joinParts(await Promise.all(parts), false);
}
