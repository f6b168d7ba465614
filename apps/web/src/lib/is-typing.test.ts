import { expect, it } from 'vitest';
import { isTyping } from './is-typing.ts';

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
  expect(isTyping(target)).toBe(typing);
});
