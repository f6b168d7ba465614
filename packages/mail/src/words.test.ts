import { expect, test } from 'vitest';
import { describeAddress, describeDevice, formatTime, greet, unlink } from './words.ts';

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

test('a device is described in our words only', () => {
  expect(describeDevice('Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0')).toBe(
    'Firefox on Linux',
  );
  expect(describeDevice('Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140 Safari/537.36 Edg/140')).toBe(
    'Edge on Windows',
  );
  expect(describeDevice('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1')).toBe(
    'Safari on iPhone',
  );
  expect(describeDevice('<a href="http://evil.example">click</a>')).toBe('A program we do not know');
  expect(describeDevice(null)).toBe('A program we do not know');
  expect(describeAddress('2001:db8::1')).toBe('network address 2001:db8::1');
  expect(describeAddress('evil.example')).toBeUndefined();
});

test('times are in UTC and say so', () => {
  expect(formatTime('2026-11-21T09:05:00.000Z')).toMatch(/^21 November 2026.* 09:05 UTC$/);
});
