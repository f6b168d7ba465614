import { expect, it } from 'vitest';
import { mailtoUrl } from './mailto-url.ts';

it('keeps what is in a subject or an address from becoming part of the link', () => {
  const link = new URL(mailtoUrl('a?cc=b@example.test', { subject: 'Q & A?', body: 'one\ntwo #3' }));
  expect(decodeURIComponent(link.pathname)).toBe('a?cc=b@example.test');
  expect([...link.searchParams]).toEqual([
    ['subject', 'Q & A?'],
    ['body', 'one\ntwo #3'],
  ]);
});

it('writes an ordinary address as it is', () => {
  expect(mailtoUrl('sales@example.test', { subject: 'Hello', body: '' })).toBe(
    'mailto:sales@example.test?subject=Hello&body=',
  );
});
