import type { StripOutput } from '../../engine/strips/strip-run.ts';
import { networkFactor } from '../../plan/plan-passes.ts';
import { keptRows, type LayerPlace, rowBytes, stripRows } from './chain-layout.ts';
import type { ChainThread } from './run-chain.ts';

const colors = 3;

/** Write planes of a strip to the input of the first layer, behind the rows of the strip before. Missing rows are 0. */
export function writeSource({ layout, memory }: ChainThread, planes: Float32Array, width: number): void {
  const { source, kept, inputs } = layout.layers[0] as LayerPlace;
  const length = rowBytes(layout, inputs);
  new Uint8Array(memory.buffer).copyWithin(source, kept, kept + keptRows * length);
  const floats = new Float32Array(memory.buffer, source + keptRows * length, (stripRows * length) / 4).fill(0);
  const rows = planes.length / colors / width;
  for (let c = 0; c < colors; c++)
    for (let y = 0; y < rows; y++)
      for (let x = 0; x < width; x++)
        floats[(y * length) / 4 + (x + 1) * inputs + c] = planes[(c * rows + y) * width + x] as number;
}

type Image = { lag: number; width: number; height: number };

/** Returns a function that returns the result of the strip whose planes are given. It lags by `lag` rows. */
export function openResultReader(chain: ChainThread, { lag, width, height }: Image) {
  const strips: Float32Array[] = [];
  let row = 0;
  return (planes: Float32Array): StripOutput => {
    strips.push(planes);
    const from = Math.max(0, row - lag);
    const until = Math.max(from, Math.min(height, row + stripRows - lag));
    const [wide, rows] = [width * networkFactor, (until - from) * networkFactor];
    const data = new Float32Array(colors * rows * wide);
    for (let place = from; place < until; place++)
      for (let c = 0; c < colors; c++) {
        const strip = strips[Math.floor(place / stripRows)] as Float32Array;
        const base = (c * (strip.length / colors / width) + (place % stripRows)) * width;
        const colorsOf = strip.subarray(base, base + width);
        const target = data.subarray((c * rows + (place - from) * networkFactor) * wide);
        addDifferences(chain, { row: place - row + lag, color: c, colorsOf, target });
      }
    row += stripRows;
    strips.fill(new Float32Array(0), 0, Math.floor(until / stripRows));
    return { tensor: { type: 'float32', data, dims: [1, colors, rows, wide] }, rows, first: 0 };
  };
}

type Adding = { row: number; color: number; colorsOf: Float32Array; target: Float32Array };

/** Write four rows of a color. Each pixel has a block of 4 x 4 differences from its own color. */
function addDifferences({ layout, memory }: ChainThread, { row, color, colorsOf, target }: Adding): void {
  const outputs = colors * networkFactor ** 2;
  const length = rowBytes(layout, outputs) / 4;
  const differences = new Float32Array(memory.buffer, layout.result + (row + keptRows) * length * 4, length);
  const wide = colorsOf.length * networkFactor;
  for (let x = 0; x < colorsOf.length; x++) {
    const at = (x + 1) * outputs + color * networkFactor ** 2;
    const own = colorsOf[x] as number;
    for (let y = 0; y < networkFactor; y++)
      for (let i = 0; i < networkFactor; i++) {
        const value = own + (differences[at + y * networkFactor + i] as number);
        target[y * wide + x * networkFactor + i] = Math.min(1, Math.max(0, value));
      }
  }
}
