import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { expect, it } from 'vitest';
import { chooseKey } from './example-values.ts';

const key = (facts: Partial<ApiKeyView>) =>
  ({ kind: 'live', isActive: true, isExpired: false, replacedBy: null, scopes: ['process'], ...facts }) as ApiKeyView;

it('shows a key that works, a test key before others', () => {
  const live = key({ keyPreview: 'live' });
  const test = key({ kind: 'test', keyPreview: 'test' });
  expect(chooseKey([live, test])).toBe(test);
  expect(chooseKey([live])).toBe(live);
});

it.each([[{ isActive: false }], [{ isExpired: true }], [{ replacedBy: 'another' }], [{ scopes: ['read' as const] }]])(
  'shows no key that would be refused: %o',
  (facts) => {
    expect(chooseKey([key(facts)])).toBeUndefined();
  },
);
