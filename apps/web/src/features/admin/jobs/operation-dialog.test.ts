import { expect, it } from 'vitest';
import { describeOperation } from './queue-overview.tsx';

it('says that workers of one name are drained together', () => {
  const drain = { kind: 'drain', name: 'gpu' } as const;
  expect(describeOperation({ ...drain, workers: 1 })).not.toContain('named');
  expect(describeOperation({ ...drain, workers: 2 })).toMatch(/ This applies to all 2 workers named gpu\.$/);
  expect(describeOperation({ kind: 'drainAll' })).not.toContain('named');
});
