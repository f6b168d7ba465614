import { expect } from 'vitest';

/** Filenames as sent in a form. Browsers encode quotes as %22 and line breaks as %0D%0A. */
export const hostileNames = [
  '../../../etc/passwd',
  '..\\..\\windows\\system32\\config.png',
  '/etc/shadow',
  'C:\\Users\\ada\\photo.png',
  '\\\\server\\share\\photo.png',
  '....//....//photo.png',
  '..',
  '.',
  '...',
  '.htaccess',
  '.png',
  ' ',
  '\t',
  'photo.png/',
  'a/b/c/',
  'nul',
  'con.png',
  'photo.png::$DATA',
  'photo\u0000.png',
  'photo\u0001\u001f\u007f.png',
  'photo\u0085\u009f.png',
  'photo\u001b[31mred.png',
  'photo\u202egnp.exe',
  'photo\u2066x\u2069.png',
  'photo\u200f\u200e\u061c.png',
  'photo\u2028\u2029.png',
  'photo\ufeff.png',
  'x'.repeat(300),
  `${'x'.repeat(300)}.png`,
  '名'.repeat(300),
  '😀'.repeat(200),
  `${'x'.repeat(254)}😀.png`,
  '👨‍👩‍👧‍👦.png',
  'e\u0301te\u0301.png',
  '\u00e9t\u00e9.png',
  'ünïcödé.png',
  'صورة.png',
  '写真.png',
  '%22quoted%22.png',
  "it's.png",
  'a;b=c.png',
  'a,b.png',
  'a\\"b.png',
  'photo%0D%0ASet-Cookie: a=b.png',
  '%2e%2e%2fphoto.png',
  '%00.png',
  '<script>alert(1)</script>.png',
  '"><img src=x onerror=alert(1)>.png',
  '$(reboot).png',
  "'; drop table jobs; --.png",
  '=cmd|calc!A1.png',
  'photo.png?x=1#y',
];

const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]/u;

/** Expects a filename without control characters, separators, or dots only. */
export function expectSafeName(name: string): void {
  expect(name).not.toMatch(unsafe);
  expect(name).not.toMatch(/^\.*$/);
  expect([...name].length).toBeLessThanOrEqual(255);
}

/** Expects `attachment; filename="..."; filename*=UTF-8''...` (RFC 6266) and nothing else. Returns the filename. */
export function readSafeHeader(header: string): string {
  const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  const quoted = '"(?:[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e\\xa0-\\xff]|\\\\[\\x20-\\x7e])*"';
  const extended = "UTF-8''(?:[!#$&+.^_`|~0-9A-Za-z-]|%[0-9A-F]{2})+";
  const whole = new RegExp(`^attachment; filename=(${token}|${quoted})(?:; filename\\*=(${extended}))?$`);
  const [, plain = '', coded] = whole.exec(header) ?? [];
  expect(plain, header).not.toBe('');
  return coded
    ? decodeURIComponent(coded.slice("UTF-8''".length))
    : plain.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1');
}
