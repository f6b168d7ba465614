import { expect, it } from 'vitest';
import { limitNames } from '../../policy/limit-names.ts';
import { limitsPage } from './limits-page.ts';

it('is docs/reference/limits.md, which `vitest --update` writes', async () => {
  await expect(limitsPage).toMatchFileSnapshot('../../../../../docs/reference/limits.md');
});

it('describes each counted limit once', () => {
  const described = [...limitsPage.matchAll(/ \| `(\w+)` \| [^|]* \|$/gm)].map(([, name]) => name);
  expect(described.toSorted()).toEqual([...limitNames].sort());
});
