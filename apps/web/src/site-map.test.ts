import { expect, it } from 'vitest';
import { barLinks, footerLinks, paths, siteLinks } from './site-map.ts';

it('links only to pages that exist', () => {
  const known: readonly string[] = Object.values(paths);
  for (const { to } of siteLinks) expect(known).toContain(to.split('#')[0]);
});

it('shows visitors what the product is, and users what is theirs', () => {
  const labels = (audience: 'visitor' | 'user') => barLinks(audience).map(({ label }) => label);
  expect(labels('visitor')).toEqual(['Features', 'Pricing', 'API']);
  expect(labels('user')).toEqual(['Dashboard', 'Pricing']);
  expect(footerLinks.map(({ label }) => label)).toEqual(['Features', 'Pricing', 'API']);
});
