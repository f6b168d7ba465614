import { expect, it } from 'vitest';
import { describeAddress, footer, formatTime, greet, unlink } from './mail-content.ts';

it('greets by name in any script', () => {
  for (const name of ['Ada', "O'Brien", 'Jean-Luc', 'J. R.', 'Žofie Nováková', '小林', 'علي']) {
    expect(greet(name)).toBe(`Hello ${name},`);
  }
});

it('leaves out names that could be a link, markup, a second line, or a message', () => {
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

it('keeps an email address readable without a link', () => {
  const text = unlink('a.b@evil.example\u200B\r\n');
  expect(text.replaceAll('\u2060', '')).toBe('a.b@evil.example');
  expect(text).not.toMatch(/[.@][a-z]/);
});

it('formats IP addresses only', () => {
  expect(describeAddress('2001:db8::1')).toBe('IP address 2001:db8::1');
  expect(describeAddress('evil.example')).toBeUndefined();
});

it('formats times in UTC', () => {
  expect(formatTime('2026-11-21T09:05:00.000Z')).toMatch(/^November 21, 2026 at 9:05\sAM UTC$/);
});

it('ends with the support hours, company, and address, and with nothing for those that are empty', () => {
  const site = { siteName: 'Images', supportEmail: 's@x.test', publicUrl: 'https://x.test' };
  const contact = 'Images · https://x.test · Questions? Contact s@x.test';
  expect(footer(site)).toBe(`${contact}.`);
  const owner = { supportHours: '', company: '', companyAddress: '' };
  expect(footer({ ...site, owner })).toBe(`${contact}.`);
  expect(footer({ ...site, owner: { ...owner, company: 'Images Ltd.' } })).toBe(`${contact}. Images Ltd.`);
  const whole = {
    supportHours: '9 to 17 UTC',
    company: 'Images Ltd.',
    companyAddress: '1 Image Street\r\nSpringfield',
  };
  expect(footer({ ...site, owner: whole })).toBe(`${contact} (9 to 17 UTC). Images Ltd., 1 Image Street Springfield`);
});
