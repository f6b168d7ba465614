import type { SiteSettings } from '../schemas/admin/settings.ts';
import type { LegalVersion } from '../schemas/content/site-pages.ts';
import { sitePaths, termsSlug } from '../texts/site/pages.ts';

/** Facts about the site's owner that legal texts require. */
type LegalFact = keyof Pick<
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

/** Names of the facts about the owner, for sentences. */
export const legalFactNames: Record<LegalFact, string> = {
  company: 'company name',
  companyAddress: 'company address',
  governingLaw: 'governing law',
  liability: 'liability',
  legalBasis: 'legal basis',
  processors: 'processors',
};

/**
 * Returns the version that the page of a legal text shows: the version in force, or else the newest. Undefined without
 * versions.
 */
export const shownVersionOf = (versions: readonly LegalVersion[]): LegalVersion | undefined =>
  versions.find(({ isInForce }) => isInForce) ?? versions[0];
