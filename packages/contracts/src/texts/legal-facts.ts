import type { LegalFact } from '../policy/legal-facts.ts';

/** Names of the facts about the owner, for sentences. */
export const legalFactNames: Record<LegalFact, string> = {
  company: 'company name',
  companyAddress: 'company address',
  governingLaw: 'governing law',
  liability: 'liability',
  legalBasis: 'legal basis',
  processors: 'processors',
};
