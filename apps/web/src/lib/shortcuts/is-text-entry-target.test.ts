import { expect, it } from 'vitest';
import { isTextEntryTarget, usesLetterKeys } from './is-text-entry-target.ts';

it.each([
  [{ tagName: 'INPUT', type: 'email' }, true],
  [{ tagName: 'INPUT', type: 'number' }, true],
  [{ tagName: 'TEXTAREA' }, true],
  [{ tagName: 'SELECT' }, true],
  [{ tagName: 'DIV', isContentEditable: true }, true],
  [{ tagName: 'INPUT', type: 'radio' }, false],
  [{ tagName: 'INPUT', type: 'range' }, false],
  [{ tagName: 'BUTTON', type: 'submit' }, false],
  [{ tagName: 'BODY' }, false],
  [null, false],
])('%j: %s', (target, typing) => {
  expect(isTextEntryTarget(target)).toBe(typing);
});

it('returns true from usesLetterKeys for a closed list', () => {
  const list = { tagName: 'BUTTON', type: 'button', role: 'combobox' };
  expect(isTextEntryTarget(list)).toBe(false);
  expect(usesLetterKeys(list)).toBe(true);
  expect(usesLetterKeys({ ...list, role: null })).toBe(false);
  expect(usesLetterKeys({ tagName: 'TEXTAREA' })).toBe(true);
});
