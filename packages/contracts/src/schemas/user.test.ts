// cspell:ignore محمد عائشة
import { expect, it } from 'vitest';
import { nameSchema } from './user.ts';

it.each([
  ['Arabic with a mark after it', 'محمد\u200F'],
  ['Arabic with an Arabic letter mark', '\u061Cعائشة'],
  ['Hebrew with marks around Latin letters', 'דוד \u200EBen\u200F'],
  ['Persian with a zero-width non-joiner', 'علی\u200Cرضا'],
  ['an emoji with a zero-width joiner', 'Ada 👩\u200D💻'],
])('accepts a name in %s', (_what, name) => {
  expect(nameSchema.parse(name)).toBe(name);
});

it.each([
  ['overrides', '\u202EadA'],
  ['embeds', '\u202AAda\u202C'],
  ['isolates', '\u2067Ada\u2069'],
])('refuses a name that %s the direction of text', (_what, name) => {
  expect(nameSchema.safeParse(name).success).toBe(false);
});

it('refuses a name of marks alone', () => {
  expect(nameSchema.safeParse('\u200F\u061C').success).toBe(false);
});
