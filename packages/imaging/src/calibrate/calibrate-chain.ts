import { brotliCompressSync } from 'node:zlib';
import { sha256 } from '@uprez/models/files/sha256';
import { quantizeChain } from '@uprez/models/onnx/apply-recipe';
import { readChain } from '@uprez/models/onnx/read-chain';
import type { ChainRecipe, LayerRecipe } from '@uprez/models/onnx/recipe';
import { pixelChannels } from '@uprez/models/onnx/virtual-channels';
import { writeQuantizedChain } from '@uprez/models/onnx/write-quantized-chain';
import { calibrateLayer } from './calibrate-layer.ts';
import { weighChannels } from './fit-layer.ts';
import { runFloatLayer, runQuantizedLayer } from './run-layer.ts';
import { choosePlaces, takeInputs, takeTargets } from './sample-places.ts';
import { openRandom, type Tile } from './tile.ts';

export type Calibration = {
  engine: string;
  fp32: Uint8Array;
  /** Square tiles of one side. */
  tiles: Tile[];
  /** Number of positions to fit each layer at. */
  places: number;
  onStep: (done: number, count: number) => void;
};

/** Maximum distance from the borders of tiles, where padding has little effect. */
const largestMargin = 16;

/** Calibrate a network layer by layer. */
export async function calibrateChain(calibration: Calibration): Promise<ChainRecipe> {
  const { engine, fp32, tiles, places: count, onStep } = calibration;
  const layers = readChain(fp32);
  const weights = weighChannels(layers);
  const random = openRandom(5);
  const side = tiles[0]?.side ?? 0;
  let floats = tiles.map(({ planes }) => planes);
  let bytes = tiles.map(toBytes);
  let channels = pixelChannels();
  let zeroIn = 0;
  const parts: LayerRecipe[] = [];
  const roundings: Uint8Array[] = [];
  const quantized = layers.slice(0, -1);
  for (const [i, layer] of quantized.entries()) {
    const { linear, bent } = await runFloatLayer(layer, floats, side);
    const places = choosePlaces({ tiles: tiles.length, side, margin: Math.min(i + 2, largestMargin), count, random });
    const made = await calibrateLayer({
      layer,
      inputs: takeInputs({ tiles: bytes, channels: channels.length, zero: zeroIn, side }, places),
      targets: takeTargets(linear, places, layer.outChannels),
      channels,
      zeroIn,
      weights: weights[i] as Float64Array,
    });
    bytes = await runQuantizedLayer(made.quantized, bytes, side);
    [floats, channels, zeroIn] = [bent, made.outputs, made.part.zero];
    parts.push(made.part);
    roundings.push(made.roundings);
    onStep(i + 1, quantized.length);
  }
  const recipe = { engine, layers: parts, roundings: brotliCompressSync(Buffer.concat(roundings)).toString('base64') };
  const int8 = writeQuantizedChain(quantizeChain(layers, recipe));
  return { ...recipe, fp32Sha256: sha256(fp32), int8Sha256: sha256(int8) };
}

/** Convert a tile to bytes, channels last, with an empty fourth channel. */
function toBytes({ planes, side }: Tile): Uint8Array {
  const channels = pixelChannels().length;
  const bytes = new Uint8Array(side * side * channels);
  planes.forEach((value, i) => {
    bytes[(i % side ** 2) * channels + Math.floor(i / side ** 2)] = Math.round(value * 255);
  });
  return bytes;
}
