import type { SiteSettings } from '../schemas/admin/settings.ts';
import type { LegalVersion } from '../schemas/content/site-pages.ts';
import { sitePaths, termsSlug } from '../texts/site/pages.ts';

type LegalFact = keyof Pick<
  SiteSettings,
  'company' | 'companyAddress' | 'governingLaw' | 'liability' | 'legalBasis' | 'processors'
>;

const requiredFacts: Readonly<Record<string, readonly LegalFact[]>> = {
  [termsSlug]: ['company', 'companyAddress', 'governingLaw', 'liability'],
  [sitePaths.privacy.slice(1)]: ['company', 'companyAddress', 'legalBasis', 'processors'],
};
export const legalFacts: readonly LegalFact[] = [...new Set(Object.values(requiredFacts).flat())];

/** Returns the settings that a legal text requires but that are empty. Returns an empty array for other slugs. */
export const listMissingFacts = (slug: string, owner: Readonly<Record<LegalFact, string>>): LegalFact[] =>
  (requiredFacts[slug] ?? []).filter((name) => owner[name].trim() === '');

export const legalFactNames: Record<LegalFact, string> = {
  company: 'company name',
  companyAddress: 'company address',
  governingLaw: 'governing law',
  liability: 'liability',
  legalBasis: 'legal basis',
  processors: 'processors',
};

/**
 * Returns the version of a legal text that its page shows: the version in force, or the newest version if none is in
 * force. Returns undefined if the text has no versions.
 */
export const findDisplayedVersion = (versions: readonly LegalVersion[]): LegalVersion | undefined =>
  versions.find(({ isInForce }) => isInForce) ?? versions[0];
