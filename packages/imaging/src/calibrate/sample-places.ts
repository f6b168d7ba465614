import type { Table } from './run-layer.ts';

export type Places = number[][];

type Spread = { tiles: number; side: number; margin: number; count: number; random: () => number };

/** Choose about `count` random positions in all tiles, at least `margin` from their borders. */
export function choosePlaces({ tiles, side, margin, count, random }: Spread): Places {
  const inner = side - 2 * margin;
  const coordinate = () => margin + Math.floor(random() * inner);
  const perTile = Math.ceil(count / tiles);
  return Array.from({ length: tiles }, () => Array.from({ length: perTile }, () => coordinate() * side + coordinate()));
}

/** Read the channels of planar tiles at these positions, a row each. */
export function takeTargets(tiles: Float32Array[], places: Places, channels: number): Table {
  const data = new Float32Array(places.reduce((sum, list) => sum + list.length, 0) * channels);
  let at = 0;
  tiles.forEach((tile, i) => {
    const plane = tile.length / channels;
    for (const place of places[i] ?? [])
      for (let c = 0; c < channels; c++) data[at++] = tile[c * plane + place] as number;
  });
  return { data, columns: channels };
}

/** Last column of the inputs, for the bias. Large relative to bytes. */
export const biasInput = 64;

type Bytes = { tiles: Uint8Array[]; channels: number; zero: number; side: number };

/** Read the inputs of a 3x3 convolution at these positions: rows of channels x 9 samples above zero, and `biasInput`. */
export function takeInputs({ tiles, channels, zero, side }: Bytes, places: Places): Table {
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
