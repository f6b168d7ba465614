import { type QuantizedLayer, writeQuantizedLayer } from '@uprez/models/onnx/quantized-layer';
import type { ChainLayer } from '@uprez/models/onnx/read-chain';
import { writeFloatLayer, writeProduct } from '@uprez/models/onnx/write-float-layer';
import * as ort from 'onnxruntime-node';

/** Runs a layer in FP32 on tiles. Returns the planar values before (`linear`) and after its PReLU (`bent`). */
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

/** Runs an INT8 layer on channels-last tiles. */
export async function runQuantizedLayer(layer: QuantizedLayer, tiles: Uint8Array[], side: number) {
  const graph = await openGraph(writeQuantizedLayer(layer));
  const results: Uint8Array[] = [];
  for (const tile of tiles) {
    const x = new ort.Tensor('uint8', tile, [1, side, side, layer.inChannels]);
    results.push((await graph.run({ x }))('y') as Uint8Array);
  }
  await graph.close();
  return results;
}

export type Table = { data: Float32Array; columns: number };

/** Multiplies the transpose of `a` by `b`. */
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

export type TilePositions = number[][];

type PositionOptions = { tiles: number; side: number; margin: number; count: number; random: () => number };

/** Chooses about `count` random positions across all tiles, at least `margin` pixels from their borders. */
export function choosePositions({ tiles, side, margin, count, random }: PositionOptions): TilePositions {
  const inner = side - 2 * margin;
  const coordinate = () => margin + Math.floor(random() * inner);
  const perTile = Math.ceil(count / tiles);
  return Array.from({ length: tiles }, () => Array.from({ length: perTile }, () => coordinate() * side + coordinate()));
}

/** Reads the channels of planar tiles at the given positions. Returns one row per position. */
export function readTargets(tiles: Float32Array[], places: TilePositions, channels: number): Table {
  const data = new Float32Array(places.reduce((sum, list) => sum + list.length, 0) * channels);
  let at = 0;
  tiles.forEach((tile, i) => {
    const plane = tile.length / channels;
    for (const place of places[i] ?? [])
      for (let c = 0; c < channels; c++) data[at++] = tile[c * plane + place] as number;
  });
  return { data, columns: channels };
}

/** Constant value of the last input column, which represents the bias. It's in the range of 8-bit samples. */
export const biasInput = 64;

type QuantizedTiles = { tiles: Uint8Array[]; channels: number; zero: number; side: number };

/**
 * Reads the inputs of a 3x3 convolution at the given positions. Each position has a row with 9 samples per channel,
 * relative to the zero point, followed by `biasInput`.
 */
export function readInputs({ tiles, channels, zero, side }: QuantizedTiles, places: TilePositions): Table {
  const columns = channels * 9 + 1;
  const data = new Float32Array(places.reduce((sum, list) => sum + list.length, 0) * columns);
  let row = 0;
  tiles.forEach((tile, i) => {
    for (const place of places[i] ?? []) {
      for (let tap = 0; tap < 9; tap++) {
        const from = (place + (Math.floor(tap / 3) - 1) * side + (tap % 3) - 1) * channels;
        for (let c = 0; c < channels; c++) data[row + c * 9 + tap] = (tile[from + c] as number) - zero;
      }
      data[row + columns - 1] = biasInput;
      row += columns;
    }
  });
  return { data, columns };
}
