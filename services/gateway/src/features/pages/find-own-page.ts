import { articlePages, positionPath, sitePaths } from '@uprez/contracts/texts/pages';
import { findSitePage } from '@uprez/domain/content/pages/find-site-page';
import { findLegalText } from '@uprez/domain/content/pages/legal-versions';
import { findPosition, listPositions } from '@uprez/domain/content/pages/positions';
import type { Deps } from '../../deps.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import { type FoundPage, missingPage, patternOf, queryOf } from '../../http/web/page-document.ts';
import {
  aboutActions,
  careersDocument,
  legalTextDocument,
  positionDocument,
  sitePageDocument,
} from './own-documents.ts';

type Reading = Pick<Deps, 'db' | 'settings'>;

const positionPattern = patternOf(articlePages.position);
const legalPatterns = [articlePages.terms, articlePages.privacy].map(patternOf);
const paths: readonly string[] = [sitePaths.about, sitePaths.careers, sitePaths.terms, sitePaths.privacy];

/** Finds the page of a URL of the site itself: about, careers, positions, and legal pages. Undefined for other URLs. */
export async function findOwnPage(deps: Reading, url: string): Promise<FoundPage | undefined> {
  const path = pathOf(url);
  const slug = positionPattern.exec(path)?.[1];
  if (slug) return findOwnPosition(deps, { slug, url });
  const number = legalPatterns.map((pattern) => pattern.exec(path)?.[1]).find(Boolean);
  if (number) {
    const text = await findLegalText(deps, { slug: path.split('/')[1] ?? '', number });
    return { page: text ? legalTextDocument(text) : missingPage };
  }
  if (!paths.includes(path)) return undefined;
  const page = await findSitePage(deps, path.slice(1));
  if (!page) return { page: missingPage };
  if (path !== sitePaths.careers)
    return { page: sitePageDocument(page, path, path === sitePaths.about ? aboutActions : '') };
  const { contactEmail } = await deps.settings.read('site');
  return { page: careersDocument(page, await listPositions(deps), contactEmail) };
}

async function findOwnPosition(deps: Reading, { slug, url }: { slug: string; url: string }): Promise<FoundPage> {
  const position = await findPosition(deps, slug);
  if (!position) return { page: missingPage };
  if (position.slug !== slug) return { movedTo: positionPath(position.slug) + queryOf(url) };
  const { contactEmail } = await deps.settings.read('site');
  return { page: positionDocument(position, contactEmail) };
}
