import type { AdminJobDetails } from '@uprez/contracts/schemas/admin-jobs';
import { expect, it } from 'vitest';
import { findRetryBlock } from './find-retry-block.ts';
import { jobsOf } from './links.ts';

const job = {
  kind: 'image',
  account: { id: '7', email: 'ada@example.test', name: null },
  retriedBy: null,
  storedSource: { expiresAt: null },
} as AdminJobDetails;

it('allows retrying an image of an account while its original is stored', () => {
  expect(findRetryBlock(job)).toBeUndefined();
  expect(findRetryBlock({ ...job, storedSource: null })).toContain('The original was deleted.');
  expect(findRetryBlock({ ...job, retriedBy: '8', storedSource: null })).toContain('already retried');
  expect(findRetryBlock({ ...job, account: null })).toContain('Only images of accounts');
  expect(findRetryBlock({ ...job, kind: 'preview' })).toContain('Only images of accounts');
});

it('links to the rows of a filter', () => {
  expect(jobsOf({ view: 'stuck' })).toBe('/admin/jobs?view=stuck#list');
  expect(jobsOf({ error: 'processing_timeout', engine: undefined })).toBe('/admin/jobs?error=processing_timeout#list');
});
