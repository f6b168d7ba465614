import { searchTextSchema } from '@uprez/contracts/schemas/content/help';
import { articlePages, helpPath, sitePaths } from '@uprez/contracts/texts/pages';
import { findHelpArticle, getHelpCenter } from '@uprez/domain/content/help/get-help-center';
import { findHelp } from '@uprez/domain/content/help/search-help';
import type { Deps } from '../../deps.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import { type FoundPage, missingPage, type PageDocument, patternOf, queryOf } from '../../http/web/page-document.ts';
import { helpArticleDocument, helpCenterDocument, helpSearchDocument } from './help-documents.ts';

type Reading = Pick<Deps, 'db'>;

const articlePattern = patternOf(articlePages.help);

/** Finds the page of a URL of the help center. Undefined for other URLs. */
export async function findHelpPage(deps: Reading, url: string): Promise<FoundPage | undefined> {
  const path = pathOf(url);
  if (path === sitePaths.help) return { page: await findCenter(deps, url) };
  const slug = articlePattern.exec(path)?.[1];
  if (!slug) return undefined;
  const article = await findHelpArticle(deps, slug);
  if (!article) return { page: missingPage };
  return article.slug === slug
    ? { page: helpArticleDocument(article) }
    : { movedTo: helpPath(article.slug) + queryOf(url) };
}

/** The help center, or the results of a search in the URL: the form also works without JavaScript. */
async function findCenter(deps: Reading, url: string): Promise<PageDocument> {
  const search = searchTextSchema.safeParse(new URLSearchParams(queryOf(url)).get('search') ?? '');
  if (!search.success) return helpCenterDocument(await getHelpCenter(deps));
  // The app searches again, and that is counted.
  return helpSearchDocument(search.data, await findHelp(deps, search.data));
}
