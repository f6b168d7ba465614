import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { expect, it } from 'vitest';
import { chooseExampleKey } from './example-values.ts';

const key = (facts: Partial<ApiKeyView>) =>
  ({ kind: 'live', isActive: true, isExpired: false, replacedBy: null, scopes: ['process'], ...facts }) as ApiKeyView;

it('chooses a valid key and prefers sandbox keys', () => {
  const live = key({ keyPreview: 'live' });
  const test = key({ kind: 'test', keyPreview: 'test' });
  expect(chooseExampleKey([live, test])).toBe(test);
  expect(chooseExampleKey([live])).toBe(live);
});

it.each([[{ isActive: false }], [{ isExpired: true }], [{ replacedBy: 'another' }], [{ scopes: ['read' as const] }]])(
  'chooses no invalid key: %o',
  (facts) => {
    expect(chooseExampleKey([key(facts)])).toBeUndefined();
  },
);
