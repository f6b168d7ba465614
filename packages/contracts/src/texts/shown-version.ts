import type { LegalVersion } from '../schemas/content/site-pages.ts';

/** The version that the page of a legal text shows: the one in force. Undefined without versions. */
export const shownVersionOf = (versions: readonly LegalVersion[]): LegalVersion | undefined =>
  versions.find(({ isInForce }) => isInForce) ?? versions[0];
