import { expect, it } from 'vitest';
import { toKeyNames } from './key-names.ts';

it.each([
  ['u', false, [['U']]],
  ['g d', false, [['G'], ['D']]],
  ['$mod+k', false, [['Ctrl', 'K']]],
  ['$mod+k', true, [['Cmd', 'K']]],
  ['[Shift]++', false, [['+']]],
  ['-', false, [['-']]],
  ['[Shift]+?', false, [['?']]],
  ['Escape', false, [['Esc']]],
  ['Shift+ArrowLeft', false, [['Shift', 'Left']]],
  ['Shift+ArrowUp', false, [['Shift', 'Up']]],
  ['Shift+ArrowDown', false, [['Shift', 'Down']]],
])('%j is pressed as %j', (keys, isMac, names) => {
  expect(toKeyNames(keys, isMac)).toEqual(names);
});
