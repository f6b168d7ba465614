import { expect, it } from 'vitest';
import { maskEmails } from './mask-emails.ts';

const rows = [
  { id: '1', account: { email: 'ada@mail.example', name: 'Ada' }, account2: null, n: 1 },
  { email: null, username: 'lovelace', isAdmin: false, lists: [{ username: 'ada@mail.example' }] },
];
const masked = [
  { id: '1', account: { email: 'a***@***.example', name: 'Ada' }, account2: null, n: 1 },
  { email: null, username: 'lovelace', isAdmin: false, lists: [{ username: 'a***@***.example' }] },
];

it.each(['texts', 'fields'] as const)('masks the fields of a person in objects and lists: %s', (mask) => {
  expect(maskEmails(rows, mask)).toEqual(masked);
});

it('masks addresses in every text and under every name, and keeps everything else', () => {
  const at = new Date(0);
  const row = {
    at,
    newEmail: 'ada@mail.example',
    after: { reason: 'Moved to ada.l+x@mail.example (was bob@b.example).' },
  };
  const shown = {
    at,
    newEmail: 'a***@***.example',
    after: { reason: 'Moved to a***@***.example (was b***@***.example).' },
  };
  expect(maskEmails({ ...row, files: ['ada@mail.example.png', 'a@b', '@2x.png'] }, 'texts')).toEqual({
    ...shown,
    files: ['a***@***.png', 'a@b', '@2x.png'],
  });
});

it('masks an address right after another one', () => {
  expect(maskEmails('a@b.example...@c.example, d@e@f.example', 'texts')).toBe(
    'a***@***.example.***@***.example, d@e***@***.example',
  );
});

// Visitors write messages of thousands of characters.
it('reads a long word once', () => {
  const text = 'a'.repeat(300_000);
  expect(maskEmails({ text }, 'texts')).toEqual({ text });
});

it('keeps the texts that a site publishes', () => {
  const article = { text: 'Write to [us](mailto:help@site.example).', author: { email: 'ada@mail.example' } };
  expect(maskEmails(article, 'fields')).toEqual({ ...article, author: { email: 'a***@***.example' } });
});

it.each([
  ['ada@localhost', 'a***@***'],
  ['@x.example', '***@***.example'],
  ['"a@b"@mail.co.example', '"***@***.example'],
])('masks %s', (email, expected) => {
  expect(maskEmails({ email }, 'fields')).toEqual({ email: expected });
});
