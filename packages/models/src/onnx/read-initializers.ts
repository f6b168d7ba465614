import type { Tensor } from './parts.ts';

/** Finds a network's float tensor by name. Throws when there is none. */
export type Initializers = (name: string | undefined) => { dims: number[]; values: Float32Array };

/** Makes a network's tensors known by name. */
export function readInitializers(tensors: Tensor[]): Initializers {
  const named = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  return (name) => {
    const found = named.get(name);
    if (!found) throw new Error(`the network names no tensor ${name}`);
    return { dims: (found.dims ?? []).map(Number), values: floats(found.rawData ?? new Uint8Array(0)) };
  };
}

function floats(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, i) => view.getFloat32(i * 4, true));
}
