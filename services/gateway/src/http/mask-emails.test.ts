import { expect, it } from 'vitest';
import { maskEmails } from './mask-emails.ts';

it('masks email addresses in objects and lists, and keeps everything else', () => {
  const rows = [
    { id: 'a@b.example', account: { email: 'ada@mail.example', name: 'Ada' }, account2: null, n: 1 },
    { email: null, username: 'lovelace', isAdmin: false, lists: [{ username: 'ada@mail.example' }] },
  ];
  expect(maskEmails(rows)).toEqual([
    { id: 'a@b.example', account: { email: 'a***@***.example', name: 'Ada' }, account2: null, n: 1 },
    { email: null, username: 'lovelace', isAdmin: false, lists: [{ username: 'a***@***.example' }] },
  ]);
});

it.each([
  ['ada@localhost', 'a***@***'],
  ['@x.example', '***@***.example'],
  ['"a@b"@mail.co.example', '"***@***.example'],
])('masks %s', (email, expected) => {
  expect(maskEmails({ email })).toEqual({ email: expected });
});
