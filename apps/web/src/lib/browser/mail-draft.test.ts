import { expect, it } from 'vitest';
import { mailDraft } from './mail-draft.ts';

it('keeps what is in a subject or an address from becoming part of the link', () => {
  const link = new URL(mailDraft('a?cc=b@example.test', { subject: 'Q & A?', body: 'one\ntwo #3' }));
  expect(decodeURIComponent(link.pathname)).toBe('a?cc=b@example.test');
  expect([...link.searchParams]).toEqual([
    ['subject', 'Q & A?'],
    ['body', 'one\ntwo #3'],
  ]);
});

it('writes an ordinary address as it is', () => {
  expect(mailDraft('sales@example.test', { subject: 'Hello', body: '' })).toBe(
    'mailto:sales@example.test?subject=Hello&body=',
  );
});
