import type { LegalVersion } from '../schemas/content/site-pages.ts';

/**
 * Returns the version that the page of a legal text shows: the version in force, or else the newest. Undefined without
 * versions.
 */
export const shownVersionOf = (versions: readonly LegalVersion[]): LegalVersion | undefined =>
  versions.find(({ isInForce }) => isInForce) ?? versions[0];
