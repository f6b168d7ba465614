import type { Deps } from '../../deps.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import { type FoundPage, findDocument } from '../../http/web/page-document.ts';
import { findBlogPage } from '../blog/find-blog-page.ts';
import { findContactPage } from '../inbox/contact-document.ts';
import { findNewsletterPage } from '../newsletter/newsletter-documents.ts';
import { findStatusPage } from '../status/status-documents.ts';
import { findHelpPage } from './find-help-page.ts';
import { findOwnPage } from './find-own-page.ts';

type Reading = Pick<Deps, 'db' | 'settings' | 'vault'>;

/** Finds the page of a URL. Reads articles from the database. */
export const findPage = async (deps: Reading, url: string): Promise<FoundPage> =>
  (await findBlogPage(deps, url)) ??
  (await findHelpPage(deps, url)) ??
  (await findOwnPage(deps, url)) ??
  (await findContactPage(deps, url)) ??
  (await findStatusPage(deps, url)) ??
  (await findNewsletterPage(deps, url)) ?? { page: findDocument(pathOf(url)) };
