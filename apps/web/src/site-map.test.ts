import { expect, it } from 'vitest';
import { type Audience, barLinks, footerLinks, paths, siteLinks } from './site-map.ts';

it('links only to pages that exist', () => {
  const known: readonly string[] = Object.values(paths);
  for (const { to } of siteLinks) expect(known).toContain(to.split(/[#?]/)[0]);
});

it('links to product pages for visitors, and to the dashboard for users', () => {
  const labels = (audience: Audience) => barLinks(audience).map(({ label }) => label);
  expect(labels('visitor')).toEqual(['Features', 'Pricing', 'API', 'Documentation']);
  expect(labels('user')).toEqual(['Dashboard', 'Pricing', 'Documentation']);
});

it('has the same footer links on every page, each to an existing target', () => {
  const links = (audience: Audience) => footerLinks(audience).map(({ label, to }) => [label, to]);
  expect(links('visitor')).toEqual([
    ['Features', '/#features'],
    ['Pricing', '/pricing'],
    ['API', '/#api'],
    ['Documentation', '/documentation'],
    ['API explorer', '/documentation/reference'],
    ['About', '/about'],
    ['Blog', '/blog'],
    ['Careers', '/careers'],
    ['Contact', '/contact'],
    ['Help Center', '/help-center'],
    ['Status', '/status'],
    ['Privacy Policy', '/privacy-policy'],
    ['Terms of Service', '/terms-of-service'],
  ]);
  expect(links('user')).toEqual([
    ['Features', '/#features'],
    ['Pricing', '/pricing'],
    ['API', '/dashboard?tab=api-keys'],
    ['Documentation', '/documentation'],
    ['API explorer', '/documentation/reference'],
    ['About', '/about'],
    ['Blog', '/blog'],
    ['Careers', '/careers'],
    ['Contact', '/contact'],
    ['Help Center', '/help-center'],
    ['Status', '/status'],
    ['Privacy Policy', '/privacy-policy'],
    ['Terms of Service', '/terms-of-service'],
  ]);
});
