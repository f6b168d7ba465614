import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ColumnHistory, StripLayout } from '@uprez/models/streaming/lay-out-strip';
import { shapeOf } from '@uprez/models/streaming/row-nodes';
import { countRows, rangeOf, type Strip } from '@uprez/models/streaming/row-ranges';
import { columnPorts, takesFollowingRows } from '@uprez/models/streaming/strip-ports';
import type { Band, PassColumns, StripColumns } from './strip-columns.ts';
import { makeRows, type StripTensor, type StripTensors } from './strip-tensor.ts';

/** Rounds a length up to a multiple of 4 bytes, because floats in a file begin at multiples of 4. */
const align = (bytes: number) => Math.ceil(bytes / 4) * 4;

/**
 * Passes columns from band to band in files in `dir`. Each network part has one file per strip. A band reads the file
 * of a strip, then replaces it with the band's own columns.
 */
export const makeFilePass =
  (dir: string): PassColumns =>
  (layout, columns, band) =>
    openPassedColumns(dir, { layout, columns, band });

type PassInput = { layout: StripLayout; columns: StripColumns; band: Band };

function openPassedColumns(dir: string, { layout: { columns }, columns: { sides }, band }: PassInput) {
  const isFirst = band.columns.before === 0;
  const isLast = band.columns.now === Number.POSITIVE_INFINITY;
  const pathOf = (index: number) => join(dir, `${band.part}-${index}.columns`);
  const rowsOf = ({ tensor: { scale }, delay }: ColumnHistory, strip: Strip) =>
    countRows(rangeOf({ scale, delay }, strip), { scale, delay });

  const take = async (strip: Strip, index: number): Promise<StripTensors> => {
    const inputs: StripTensors = {};
    const file = isFirst ? undefined : await readFile(pathOf(index));
    let at = 0;
    for (const [i, history] of columns.entries()) {
      const { left = 0, right = 0 } = sides[i] ?? {};
      const rows = rowsOf(history, strip);
      const names = columnPorts(history);
      if (file) {
        const read = readTensor(history, shapeOf(history.tensor, rows, left), file.subarray(at));
        at += align(byteLengthOf(read));
        inputs[names.left] = read;
      } else inputs[names.left] = makeRows(history, rows, left);
      if (takesFollowingRows(history)) inputs[names.right] = makeRows(history, rows, right);
    }
    return inputs;
  };

  const pass = async (index: number, outputs: StripTensors): Promise<void> => {
    if (isLast) return;
    const parts = columns.flatMap((history) => {
      const { data } = outputs[columnPorts(history).passed] as StripTensor;
      const { buffer, byteOffset, byteLength } = data as Uint8Array;
      return [new Uint8Array(buffer, byteOffset, byteLength), new Uint8Array(align(byteLength) - byteLength)];
    });
    await writeFile(pathOf(index), Buffer.concat(parts), { mode: 0o600 });
  };

  const names = isLast ? [] : columns.map((history) => columnPorts(history).passed);
  return { names, take, pass };
}

const byteLengthOf = (tensor: StripTensor) => (tensor.data as Uint8Array).byteLength;

/** Copies a tensor out of a file's buffer, because the buffer may begin at any byte, and floats must be aligned. */
function readTensor({ tensor }: ColumnHistory, dims: number[], bytes: Uint8Array): StripTensor {
  const length = dims.reduce((product, side) => product * side, 1);
  if (tensor.element === 'uint8') return { type: 'uint8', data: bytes.slice(0, length), dims };
  const { buffer } = Uint8Array.from(bytes.subarray(0, 4 * length));
  return { type: 'float32', data: new Float32Array(buffer), dims };
}
