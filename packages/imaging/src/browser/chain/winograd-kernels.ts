import {
  add,
  addInts,
  type Code,
  countDown,
  floats,
  int,
  type Locals,
  load,
  loadSplat,
  mul,
  mulInts,
  openScope,
  pmax,
  pmin,
  repeat,
  type Scope,
  store,
  sub,
  type WasmFunction,
} from './wasm-code.ts';

/**
 * Winograd convolutions F(4x4, 3x3). For each pair of an input and an output channel, a tile of 4 x 4 results takes 36
 * multiplications instead of 144 (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015).
 */
export const tileSide = 4;
export const windowSide = 6;
export const positions = windowSide ** 2;
/**
 * Number of tiles, and number of output vectors, that are multiplied together. Their sums, the weights, and a sample
 * must fit into the 16 vector registers of x86-64.
 */
export const rowsAtOnce = 4;
const vectorsAtOnce = 2;
const [vectorBytes, vectorFloats, unrolled] = [16, 4, 4];

const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const names = (prefix: string, count: number) => range(count).map((i) => `${prefix}${i}`);
const grid = (prefix: string, rows: number, columns: number) =>
  range(rows).map((y) => names(`${prefix}${y}_`, columns));

/** Multiplies 6 samples by the transposed matrix B. */
function transformInput({ get, set }: Scope, from: string[], to: string[]): Code {
  const [a, b, c, d, e, f] = from.map(get) as [Code, Code, Code, Code, Code, Code];
  const [t0, t1, t2, t3, t4, t5] = to as [string, string, string, string, string, string];
  const sums = (one: string, other: string) => [
    ...set(one, add(get('p'), get('q'))),
    ...set(other, sub(get('p'), get('q'))),
  ];
  return [
    ...set(t0, add(sub(mul(a, floats(4)), mul(c, floats(5))), e)),
    ...[...set('p', sub(e, mul(c, floats(4)))), ...set('q', sub(d, mul(b, floats(4)))), ...sums(t1, t2)],
    ...[...set('p', sub(e, c)), ...set('q', mul(sub(d, b), floats(2))), ...sums(t3, t4)],
    ...set(t5, add(sub(mul(b, floats(4)), mul(d, floats(5))), f)),
  ];
}

/** Multiplies 6 products by the transposed matrix A, which gives 4 results. */
function transformOutput({ get, set }: Scope, from: string[], to: string[]): Code {
  const [a, b, c, d, e, f] = from.map(get) as [Code, Code, Code, Code, Code, Code];
  const [p, q, r, s] = names('sum', 4).map(get) as [Code, Code, Code, Code];
  const [y0, y1, y2, y3] = to as [string, string, string, string];
  return [
    ...[...set('sum0', add(b, c)), ...set('sum1', sub(b, c)), ...set('sum2', add(d, e)), ...set('sum3', sub(d, e))],
    ...[...set(y0, add(add(a, p), r)), ...set(y1, add(q, mul(s, floats(2))))],
    ...[...set(y2, add(p, mul(r, floats(4)))), ...set(y3, add(add(q, mul(s, floats(8))), f))],
  ];
}

/**
 * `input{channels}(window, rowBytes, target, positionBytes)`: transforms a window of 6 x 6 pixels. `positionBytes`:
 * distance between the samples of two positions, in bytes.
 */
export function makeInputKernel(channels: number): WasmFunction {
  const [rows, samples, made] = [grid('t', windowSide, windowSide), names('d', windowSide), names('e', windowSide)];
  const locals: Locals = {
    params: ['window', 'rowBytes', 'target', 'positionBytes'],
    ints: ['left', 'at'],
    vectors: [...rows.flat(), ...samples, ...made, 'p', 'q'],
  };
  const scope = openScope(locals);
  const { get, set } = scope;
  const next = (name: string, by: string | number) =>
    set(name, addInts(get(name), typeof by === 'number' ? int(by) : get(by)));
  const columns = range(windowSide).flatMap((x) => [
    ...set('at', get('window')),
    ...samples.flatMap((sample) => [...set(sample, load(get('at'), x * channels * 4)), ...next('at', 'rowBytes')]),
    ...transformInput(
      scope,
      samples,
      rows.map((row) => row[x] as string),
    ),
  ]);
  const stores = rows.flatMap((row) => [
    ...transformInput(scope, row, made),
    ...made.flatMap((name) => [...store(get('at'), get(name)), ...next('at', 'positionBytes')]),
  ]);
  const step = [...next('window', vectorBytes), ...next('target', vectorBytes)];
  const each = [...columns, ...set('at', get('target')), ...stores, ...step];
  return {
    name: `input${channels}`,
    locals,
    body: [...set('left', int(channels / vectorFloats)), ...countDown(scope, 'left', each)],
  };
}

type Products = { inputs: number; outputs: number; sums: string[][]; weights: string[] };

function multiplyAndAdd({ get, set }: Scope, { inputs, outputs, sums, weights }: Products): Code {
  return range(unrolled).flatMap((i) => [
    ...weights.flatMap((name, n) => set(name, load(get('by'), i * outputs * 4 + n * vectorBytes))),
    ...sums.flatMap((row, r) => [
      ...set('sample', loadSplat(get('from'), (r * inputs + i) * 4)),
      ...row.flatMap((sum, n) => set(sum, add(get(sum), mul(get('sample'), get(weights[n] as string))))),
    ]),
  ]);
}

/**
 * `multiply{inputs}x{outputs}(samples, weights, target, tiles)`: multiplies the samples that the tiles have at one
 * position by the weights for that position.
 */
export function makeMultiplyKernel(inputs: number, outputs: number): WasmFunction {
  const sums = grid('sum', rowsAtOnce, vectorsAtOnce);
  const weights = names('weight', vectorsAtOnce);
  const locals: Locals = {
    params: ['samples', 'weights', 'target', 'tiles'],
    ints: ['done', 'column', 'from', 'by', 'left'],
    vectors: [...sums.flat(), ...weights, 'sample'],
  };
  const scope = openScope(locals);
  const { get, set } = scope;
  const inner = [
    ...multiplyAndAdd(scope, { inputs, outputs, sums, weights }),
    ...set('from', addInts(get('from'), int(unrolled * 4))),
    ...set('by', addInts(get('by'), int(unrolled * outputs * 4))),
  ];
  const column = [
    ...[...set('from', get('samples')), ...set('by', addInts(get('weights'), get('column')))],
    ...[...sums.flat().flatMap((sum) => set(sum, floats(0))), ...set('left', int(inputs / unrolled))],
    ...countDown(scope, 'left', inner),
    ...sums.flatMap((row, r) =>
      row.flatMap((sum, n) =>
        store(addInts(get('target'), get('column')), get(sum), r * outputs * 4 + n * vectorBytes),
      ),
    ),
  ];
  const block = [
    ...set('column', int(0)),
    ...repeat(scope, { name: 'column', step: vectorsAtOnce * vectorBytes, until: int(outputs * 4) }, column),
    ...set('samples', addInts(get('samples'), int(rowsAtOnce * inputs * 4))),
    ...set('target', addInts(get('target'), int(rowsAtOnce * outputs * 4))),
  ];
  const body = [
    ...set('done', int(0)),
    ...repeat(scope, { name: 'done', step: rowsAtOnce, until: get('tiles') }, block),
  ];
  return { name: `multiply${inputs}x${outputs}`, locals, body };
}

/**
 * `output{channels}(products, positionBytes, target, rowBytes, bias, slopes)`: transforms the products of a tile into 4
 * x 4 pixels, then adds the bias and applies the PReLU.
 */
export function makeOutputKernel(channels: number): WasmFunction {
  const [rows, products, made] = [grid('m', tileSide, windowSide), names('d', windowSide), names('y', tileSide)];
  const moved = ['products', 'target', 'bias', 'slopes'];
  const locals: Locals = {
    params: ['products', 'positionBytes', 'target', 'rowBytes', 'bias', 'slopes'],
    ints: ['left', 'at'],
    vectors: [...rows.flat(), ...products, ...made, ...names('sum', 4), 'offset', 'slope', 'value'],
  };
  const scope = openScope(locals);
  const { get, set } = scope;
  const columns = range(windowSide).flatMap((x) => [
    ...set('at', addInts(get('products'), mulInts(get('positionBytes'), int(x)))),
    ...products.flatMap((name) => [
      ...set(name, load(get('at'), 0)),
      ...set('at', addInts(get('at'), mulInts(get('positionBytes'), int(windowSide)))),
    ]),
    ...transformOutput(
      scope,
      products,
      rows.map((row) => row[x] as string),
    ),
  ]);
  const positive = pmax(floats(0), get('value'));
  const activated = add(positive, mul(get('slope'), pmin(floats(0), get('value'))));
  const stores = rows.flatMap((row) => [
    ...transformOutput(scope, row, made),
    ...made.flatMap((name, x) => [
      ...set('value', add(get(name), get('offset'))),
      ...store(get('at'), activated, x * channels * 4),
    ]),
    ...set('at', addInts(get('at'), get('rowBytes'))),
  ]);
  const each = [
    ...columns,
    ...[...set('offset', load(get('bias'), 0)), ...set('slope', load(get('slopes'), 0)), ...set('at', get('target'))],
    ...stores,
    ...moved.flatMap((name) => set(name, addInts(get(name), int(vectorBytes)))),
  ];
  return {
    name: `output${channels}`,
    locals,
    body: [...set('left', int(channels / vectorFloats)), ...countDown(scope, 'left', each)],
  };
}
