import { expect, test } from 'vitest';
import { halfToFloat, parseParam } from './read-network.ts';

const text = ['7767517', '2 2', 'Input x 0 1 data', 'Eltwise sum 1 1 data out 0=1 -23301=2,2.0e-01,1.0'].join('\n');

test('parses layers, blobs, and options', () => {
  const [, layer] = parseParam(text, 'net.param');
  expect(layer).toEqual({
    type: 'Eltwise',
    name: 'sum',
    inputs: ['data'],
    outputs: ['out'],
    options: new Map([
      [0, [1]],
      [1, [0.2, 1]],
    ]),
  });
});

test('parses Windows line ends', () => {
  expect(parseParam(text.replaceAll('\n', '\r\n'), 'net.param')).toEqual(parseParam(text, 'net.param'));
});

test.each([
  ['another magic', text.replace('7767517', '7767516'), 'magic'],
  ['a missing layer', text.replace('2 2', '3 2'), 'announces 3 layers and holds 2'],
  ['a missing blob', text.replace('2 2', '2 3'), 'announces 3 blobs and holds 2'],
  ['a line cut short', text.replace('Input x 0 1 data', 'Input x 0 1'), 'cannot read the layer line'],
  ['an array cut short', text.replace('=2,', '=3,'), 'cannot read the option'],
  ['an option without a value', text.replace('0=1 ', '0= '), 'cannot read the option'],
  ['an empty file', '', 'magic'],
])('throws an error that names the file for %s', (_, damaged, reason) => {
  expect(() => parseParam(damaged, 'net.param')).toThrow(`net.param: `);
  expect(() => parseParam(damaged, 'net.param')).toThrow(reason);
});

test.each([
  [0x0000, 0],
  [0x3c00, 1],
  [0xc000, -2],
  [0x3555, 0.333251953125],
  [0x7bff, 65504],
  [0x0400, 2 ** -14],
  [0x03ff, 1023 * 2 ** -24],
  [0x8001, -(2 ** -24)],
  [0xfc00, Number.NEGATIVE_INFINITY],
])('converts the half 0x%s to %s', (bits, value) => {
  expect(halfToFloat(bits)).toBe(value);
});

test('converts a half with all exponent bits and a fraction to NaN', () => {
  expect(halfToFloat(0x7e00)).toBeNaN();
});
