import { type QuantizedLayer, writeQuantizedLayer } from '@uprez/models/onnx/quantized-layer';
import type { ChainLayer } from '@uprez/models/onnx/read-chain';
import { writeFloatLayer, writeProduct } from '@uprez/models/onnx/write-float-layer';
import * as ort from 'onnxruntime-node';

/** Run a layer in FP32 on tiles. Returns the planar values before and behind its PReLU. */
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

/** Run an INT8 layer on tiles, channels last. */
export async function runQuantizedLayer(layer: QuantizedLayer, tiles: Uint8Array[], side: number) {
  const graph = await openGraph(writeQuantizedLayer(layer));
  const results: Uint8Array[] = [];
  for (const tile of tiles)
    results.push((await graph.run({ x: byteTensor(tile, [1, side, side, layer.inChannels]) }))('y') as Uint8Array);
  await graph.close();
  return results;
}

export type Table = { data: Float32Array; columns: number };

/** Multiply the transpose of `a` by `b`. */
export async function multiplyColumns(a: Table, b: Table): Promise<Float64Array> {
  const graph = await openGraph(writeProduct());
  const tensorOf = ({ data, columns }: Table) => floatTensor(data, [data.length / columns, columns]);
  const result = (await graph.run({ a: tensorOf(a), b: tensorOf(b) }))('y');
  await graph.close();
  return Float64Array.from(result);
}

async function openGraph(model: Uint8Array) {
  const session = await ort.InferenceSession.create(model, { executionProviders: ['cpu'], logSeverityLevel: 3 });
  return {
    close: () => session.release(),
    run: async (inputs: Record<string, ort.Tensor>) => {
      const outputs = await session.run(inputs);
      return (name: string) => {
        const data = outputs[name]?.data;
        if (data instanceof Float32Array || data instanceof Uint8Array) return data;
        throw new Error(`the model gives no ${name}`);
      };
    },
  };
}

const floatTensor = (data: Float32Array, dims: number[]) => new ort.Tensor('float32', data, dims);
const byteTensor = (data: Uint8Array, dims: number[]) => new ort.Tensor('uint8', data, dims);
