import { expect, it } from 'vitest';
import { highlightJson, mapText, toPlainLines, toPlainText } from './lines.ts';

it('colors JSON without changing it', () => {
  const value = { name: 'a "quoted": text', size: -1.5e3, list: [true, null], empty: {} };
  const lines = highlightJson(value);
  expect(toPlainText(lines)).toBe(JSON.stringify(value, null, 2));
  expect(lines[1]).toEqual([
    ['  '],
    ['"name"', 'function'],
    [': '],
    [String.raw`"a \"quoted\": text"`, 'string'],
    [','],
  ]);
  expect(lines[2]).toEqual([['  '], ['"size"', 'function'], [': '], ['-1500', 'constant'], [',']]);
});

it('changes texts and keeps their kinds', () => {
  const lines = mapText([[['KEY', 'string'], [' and KEY']]], (text) => text.replaceAll('KEY', 'abc'));
  expect(lines).toEqual([
    [
      ['abc', 'string'],
      [' and abc', undefined],
    ],
  ]);
  expect(toPlainText(toPlainLines('a\nb'))).toBe('a\nb');
});
