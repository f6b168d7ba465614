import type { Site } from '@uprez/contracts/schemas/settings';
import { expect, it } from 'vitest';
import { contactSection, lawSections } from './owner-sections.ts';

const site: Site = {
  siteName: 'Uprez',
  contactEmail: 'contact@example.test',
  supportEmail: 'support@example.test',
  supportHours: '',
  company: '',
  companyAddress: '',
  governingLaw: '',
  minPasswordLength: 6,
};

it('names only the support address until the owner enters more', () => {
  expect(contactSection(site)).toEqual(['Contact', 'Support: support@example.test']);
  expect(lawSections(site)).toEqual([]);
});

it('names the company, its address, support hours, and the law', () => {
  const own = { company: 'Larger Ltd.', companyAddress: '1 Image Street', supportHours: '9 to 17 UTC' };
  expect(contactSection({ ...site, ...own })).toEqual([
    'Contact',
    'Larger Ltd.',
    '1 Image Street',
    'Support: support@example.test (9 to 17 UTC)',
  ]);
  expect(lawSections({ ...site, governingLaw: 'Oregon' })).toEqual([
    ['Governing law', 'These terms are governed by the law of Oregon.'],
  ]);
});
