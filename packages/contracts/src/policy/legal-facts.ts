import type { SiteSettings } from '../schemas/admin/settings.ts';
import { sitePaths, termsSlug } from '../texts/site/pages.ts';

/** Facts about the site's owner that legal texts require. */
export type LegalFact = keyof Pick<
  SiteSettings,
  'company' | 'companyAddress' | 'governingLaw' | 'liability' | 'legalBasis' | 'processors'
>;

const facts: Readonly<Record<string, readonly LegalFact[]>> = {
  [termsSlug]: ['company', 'companyAddress', 'governingLaw', 'liability'],
  [sitePaths.privacy.slice(1)]: ['company', 'companyAddress', 'legalBasis', 'processors'],
};
export const legalFacts: readonly LegalFact[] = [...new Set(Object.values(facts).flat())];

/** Returns the facts that a legal text requires but the settings lack. Empty for other slugs. */
export const missingFacts = (slug: string, owner: Readonly<Record<LegalFact, string>>): LegalFact[] =>
  (facts[slug] ?? []).filter((name) => owner[name].trim() === '');
