import { type QuantizedLayer, writeQuantizedLayer } from '@uprez/models/onnx/quantized-layer';
import type { ChainLayer } from '@uprez/models/onnx/read-chain';
import { writeFloatLayer, writeProduct } from '@uprez/models/onnx/write-float-layer';
import { byteTensor, floatTensor, openGraph } from './open-graph.ts';

/** What a layer gives in plain arithmetic, tile by tile: before its PReLU and behind it, planar. */
export async function runFloatLayer(layer: ChainLayer, tiles: Float32Array[], side: number) {
  const graph = await openGraph(writeFloatLayer(layer));
  const [linear, bent]: [Float32Array[], Float32Array[]] = [[], []];
  for (const tile of tiles) {
    const outputs = await graph.run({ x: floatTensor(tile, [1, layer.inChannels, side, side]) });
    linear.push(outputs('linear') as Float32Array);
    bent.push(outputs('y') as Float32Array);
  }
  await graph.close();
  return { linear, bent };
}

/** What a quantized layer gives, tile by tile, channels last. */
export async function runQuantizedLayer(layer: QuantizedLayer, tiles: Uint8Array[], side: number) {
  const graph = await openGraph(writeQuantizedLayer(layer));
  const results: Uint8Array[] = [];
  for (const tile of tiles)
    results.push((await graph.run({ x: byteTensor(tile, [1, side, side, layer.inChannels]) }))('y') as Uint8Array);
  await graph.close();
  return results;
}

/** Rows of equal length, one after the other. */
export type Table = { data: Float32Array; columns: number };

/** Sums of products of each column of `a` with each of `b`, row by row of the result. */
export async function multiplyColumns(a: Table, b: Table): Promise<Float64Array> {
  const graph = await openGraph(writeProduct());
  const tensorOf = ({ data, columns }: Table) => floatTensor(data, [data.length / columns, columns]);
  const result = (await graph.run({ a: tensorOf(a), b: tensorOf(b) }))('y');
  await graph.close();
  return Float64Array.from(result);
}
