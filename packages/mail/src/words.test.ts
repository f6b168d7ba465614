import { expect, test } from 'vitest';
import { describeAddress, formatTime, greet, unlink } from './words.ts';

test('a name is greeted by, whatever its script', () => {
  for (const name of ['Ada', "O'Brien", 'Jean-Luc', 'J. R.', 'Žofie Nováková', '小林', 'علي']) {
    expect(greet(name)).toBe(`Hello ${name},`);
  }
});

test('a name that could be a link, markup, a second line or a message is left out', () => {
  const names = [
    'evil.example',
    'http://evil.example',
    'www.evil.example/win',
    'a@evil.example',
    '<b>Ada</b>',
    'Ada\r\nBcc: a@evil.example',
    'Ada\u2028more',
    'Ada\u202Eadv',
    '[win](x)',
    'You won a prize and should call our friendly number at once to get it',
    'You won a prize please call us now',
    'Call 0900 123456',
    'Win ٣',
    'Win４',
    '',
    null,
  ];
  for (const name of names) expect(greet(name)).toBe('Hello,');
});

test('an address stays readable and is no link', () => {
  const text = unlink('a.b@evil.example\u200B\r\n');
  expect(text.replaceAll('\u2060', '')).toBe('a.b@evil.example');
  expect(text).not.toMatch(/[.@][a-z]/);
});

test('a network address is named, and nothing else in its place', () => {
  expect(describeAddress('2001:db8::1')).toBe('network address 2001:db8::1');
  expect(describeAddress('evil.example')).toBeUndefined();
});

test('times are in UTC and say so', () => {
  expect(formatTime('2026-11-21T09:05:00.000Z')).toMatch(/^November 21, 2026.* 09:05 UTC$/);
});
