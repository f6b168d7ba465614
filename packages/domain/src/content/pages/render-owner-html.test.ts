import { listMissingFacts } from '@uprez/contracts/policy/legal-texts';
import { expect, it } from 'vitest';
import { renderOwnerHtml } from './render-owner-html.ts';

const none = { company: '', companyAddress: '', governingLaw: '', liability: '', legalBasis: '', processors: '' };
const contact = { supportEmail: 'help@example.test', supportHours: '' };
const all = {
  company: 'Images <Ltd.>',
  companyAddress: '1 Street',
  governingLaw: 'Delaware',
  liability: 'First.\n\nSecond.',
  legalBasis: 'A contract.',
  processors: 'Stripe: payments\nHost: servers',
};

it('claims nothing that the settings lack, and names it', () => {
  for (const slug of ['terms-of-service', 'privacy-policy'])
    expect(renderOwnerHtml({ ...none, ...contact }, slug).trim()).toBe(
      '<h2 id="section-contact">Contact</h2>\n<p>Support: help@example.test</p>',
    );
  expect(listMissingFacts('terms-of-service', none)).toEqual([
    'company',
    'companyAddress',
    'governingLaw',
    'liability',
  ]);
  expect(listMissingFacts('privacy-policy', none)).toEqual(['company', 'companyAddress', 'legalBasis', 'processors']);
  expect(listMissingFacts('about', none)).toEqual([]);
});

it('has every fact of the settings in the text that needs it', () => {
  const terms = renderOwnerHtml({ ...all, ...contact }, 'terms-of-service');
  for (const part of ['<p>First.</p>\n<p>Second.</p>', 'the law of Delaware', 'Images &lt;Ltd.&gt;', '1 Street'])
    expect(terms).toContain(part);
  const privacy = renderOwnerHtml({ ...all, ...contact }, 'privacy-policy');
  for (const part of ['<p>A contract.</p>', '<li>Stripe: payments</li>\n<li>Host: servers</li>', '1 Street'])
    expect(privacy).toContain(part);
  expect(privacy).not.toContain('Delaware');
  for (const slug of ['terms-of-service', 'privacy-policy']) expect(listMissingFacts(slug, all)).toEqual([]);
});
