import { expect, it } from 'vitest';
import { addGrain } from '../../src/engine/rows/film-grain.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { deepen, type Image, makeImage, makePhoto } from '../support/images.ts';

const gray = (level: number, channels: 1 | 3 = 1) =>
  makeImage({ width: 200, height: 120, channels }, () => Array(channels).fill(level));
const grained = (image: Image, grain: { amount: number; seed?: number }) =>
  readAll(addGrain(streamOf(image), { seed: 7, ...grain }));
const meanOf = (values: ArrayLike<number>) => Array.from(values).reduce((all, value) => all + value, 0) / values.length;
const deviationOf = (values: ArrayLike<number>) => {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(Array.from(values, (value) => (value - mean) ** 2)));
};

it('adds noise in proportion to the amount, without changing the mean', async () => {
  for (const amount of [20, 50, 100]) {
    const { data } = await grained(gray(128), { amount });
    expect(meanOf(data)).toBeCloseTo(128, 0);
    expect(deviationOf(data) / (0.06 * 255 * (amount / 100))).toBeCloseTo(1, 1);
  }
  const photo = makePhoto({ width: 60, height: 40 });
  expect((await grained(photo, { amount: 0 })).data).toEqual(photo.data);
});

it('is the same for the same seed, and another one for another seed', async () => {
  const [one, same, other] = [
    await grained(gray(128), { amount: 50 }),
    await grained(gray(128), { amount: 50 }),
    await grained(gray(128), { amount: 50, seed: 8 }),
  ];
  expect(same.data).toEqual(one.data);
  const product = (x: Image, y: Image) =>
    meanOf(Array.from(x.data, (value, i) => (value - 128) * ((y.data[i] ?? 0) - 128)));
  expect(Math.abs(product(one, other)) / product(one, one)).toBeLessThan(0.05);
});

it('does not depend on how many rows are read at once', async () => {
  const stream = addGrain(streamOf(makePhoto({ width: 50, height: 30 })), { amount: 80, seed: 3 });
  const parts = [await stream.read(1), await stream.read(12), await stream.read(17)].flatMap((part) => [...part]);
  const whole = await readAll(addGrain(streamOf(makePhoto({ width: 50, height: 30 })), { amount: 80, seed: 3 }));
  expect(parts).toEqual([...whole.data]);
});

it('spares black and white, keeps gray gray, and has no pattern of rows or columns', async () => {
  for (const level of [0, 255]) expect((await grained(gray(level), { amount: 100 })).data).toEqual(gray(level).data);
  const { data, width } = await grained(gray(100, 3), { amount: 100 });
  for (let i = 0; i < data.length; i += 3) expect([data[i + 1], data[i + 2]]).toEqual([data[i], data[i]]);
  const luma = Array.from({ length: data.length / 3 }, (_, i) => (data[3 * i] ?? 0) - 100);
  const correlation = (distance: number) =>
    meanOf(luma.slice(distance).map((value, i) => value * (luma[i] ?? 0))) / deviationOf(luma) ** 2;
  expect(correlation(1)).toBeCloseTo(0.5, 1);
  expect(correlation(width)).toBeCloseTo(0.5, 1);
  for (const distance of [2, 3, 8, 64, 2 * width, 64 * width])
    expect(Math.abs(correlation(distance))).toBeLessThan(0.05);
});

it('is as strong with 16 bits', async () => {
  const { data } = await grained(deepen(gray(128)), { amount: 100 });
  expect(deviationOf(data) / 257 / (0.06 * 255)).toBeCloseTo(1, 1);
});

it('leaves alpha as it is, and grains its colors like those of an opaque image', async () => {
  const clear = makeImage({ width: 40, height: 20, channels: 4 }, (x) => [128, 100, 90, x * 6]);
  const opaque = makeImage({ width: 40, height: 20 }, () => [128, 100, 90]);
  const [one, other] = [await grained(clear, { amount: 50 }), await grained(opaque, { amount: 50 })];
  expect([...one.data].filter((_, i) => i % 4 === 3)).toEqual([...clear.data].filter((_, i) => i % 4 === 3));
  expect([...one.data].filter((_, i) => i % 4 < 3)).toEqual([...other.data]);
});
