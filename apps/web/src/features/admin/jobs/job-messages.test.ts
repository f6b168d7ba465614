import type { AdminJobDetails } from '@uprez/contracts/schemas/admin/jobs';
import { expect, it } from 'vitest';
import { findRetryBlock } from './job-messages.ts';
import { toJobsPath } from './links.ts';

const job = {
  kind: 'image',
  account: { id: '7', email: 'ada@example.test', name: null },
  retriedBy: null,
  sourceMoved: false,
  storedSource: { expiresAt: null },
  accountSuspended: false,
} as AdminJobDetails;

it('allows retrying an image of an account while its original is stored', () => {
  const find = (changes: Partial<typeof job> = {}) => findRetryBlock({ ...job, ...changes }, 'me');
  expect(find()).toBeUndefined();
  expect(find({ storedSource: null })).toContain('The original was deleted.');
  expect(find({ retriedBy: '8', storedSource: null })).toContain('already retried');
  expect(find({ sourceMoved: true, storedSource: null })).toContain('The user already retried');
  expect(find({ accountSuspended: true })).toContain('The account is suspended.');
  expect(find({ account: null })).toContain('Only images of accounts');
  expect(find({ kind: 'preview' })).toContain('Only images of accounts');
  expect(findRetryBlock(job, '7')).toContain('This is your own job.');
});

it('links to the rows of a filter', () => {
  expect(toJobsPath({ view: 'stuck' })).toBe('/admin/jobs?view=stuck#list');
  expect(toJobsPath({ error: 'processing_timeout', engine: undefined })).toBe(
    '/admin/jobs?error=processing_timeout#list',
  );
});
