import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const text = readFileSync(fileURLToPath(new URL('../../../../docs/asvs.md', import.meta.url)), 'utf8');

/**
 * The number of requirements of the levels 1 and 2 in the sections of each chapter of ASVS 5.0.0. In every section, they come
 * before those of level 3.
 */
const sections: Record<number, number[]> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
};
const required = Object.entries(sections).flatMap(([chapter, counts]) =>
  counts.flatMap((count, index) => Array.from({ length: count }, (_, at) => `${chapter}.${index + 1}.${at + 1}`)),
);

const rows = [...text.matchAll(/^\| (\d+\.\d+)\.(\d+)(?:-\1\.(\d+))? \| (.+) \| (.+) \| (.+) \|$/gm)].map(
  ([, section = '', from, to = from, about, state, where]) => ({
    section,
    from: Number(from),
    to: Number(to),
    about,
    state,
    where,
  }),
);
const listed = rows.flatMap(({ section, from, to }) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${section}.${from + at}`),
);

it('has one row for each requirement of the levels 1 and 2, in order', () => {
  expect(required).toHaveLength(253);
  expect(listed).toEqual(required);
});

it('has no row in another form', () => {
  const lines = text.split('\n').filter((line) => /^\| \d/.test(line));
  expect(lines).toHaveLength(rows.length);
});

it('has a known state in each row', () => {
  expect(rows.filter(({ state }) => !['done', 'n/a', 'open'].includes(state ?? ''))).toEqual([]);
});
