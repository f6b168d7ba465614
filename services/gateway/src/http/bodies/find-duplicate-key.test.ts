import { expect, it } from 'vitest';
import { findDuplicateKey } from './read-json.ts';

it.each<[string, string | undefined]>([
  ['{}', undefined],
  ['"a"', undefined],
  ['{"a":1,"b":2}', undefined],
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1, "b" : {"a":2}}', undefined],
  ['{"a":{"b":1,"c":[{"b":1},{"b":2}],"b":3}}', 'b'],
  ['[{"a":1},{"a":1}]', undefined],
  ['{"a":"b","b":"a"}', undefined],
  ['{"a":"\\"a\\":","b":"}{"}', undefined],
  ['{"a\\\\":1,"a\\\\":2}', 'a\\'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"":1,"":2}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
])('finds the duplicate key of %s', (text, key) => {
  JSON.parse(text);
  expect(findDuplicateKey(text)).toBe(key);
});

it('scans a value of 40 MB', () => {
  expect(findDuplicateKey(`{"image":"${'A'.repeat(40_000_000)}","image":"B"}`)).toBe('image');
});
