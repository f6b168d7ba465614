import { expect, it } from 'vitest';
import { mailtoUrl } from './plan-action.tsx';

it('escapes the subject and the email address', () => {
  const link = new URL(mailtoUrl('a?cc=b@example.test', { subject: 'Q & A?', body: 'one\ntwo #3' }));
  expect(decodeURIComponent(link.pathname)).toBe('a?cc=b@example.test');
  expect([...link.searchParams]).toEqual([
    ['subject', 'Q & A?'],
    ['body', 'one\ntwo #3'],
  ]);
});

it('keeps an ordinary email address unescaped', () => {
  expect(mailtoUrl('sales@example.test', { subject: 'Hello', body: '' })).toBe(
    'mailto:sales@example.test?subject=Hello&body=',
  );
});
