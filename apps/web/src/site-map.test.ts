import { expect, it } from 'vitest';
import { barLinks, paths, siteLinks } from './site-map.ts';

it('links only to pages that exist', () => {
  const known: readonly string[] = Object.values(paths);
  for (const { to } of siteLinks) expect(known).toContain(to.split('#')[0]);
});

it('shows Features in the bar to visitors only', () => {
  expect(barLinks('visitor').map(({ label }) => label)).toEqual(['Features']);
  expect(barLinks('user')).toEqual([]);
});
