import { routes } from '@uprez/contracts/endpoints/routes';
import { AppError } from '@uprez/contracts/errors/app-error';
import { unsubscribeQuerySchema } from '@uprez/contracts/schemas/newsletter/subscribers';
import { formatList } from '@uprez/contracts/texts/format';
import { invalidLink, topicNames } from '@uprez/contracts/texts/newsletter';
import { pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { mailPages } from '@uprez/contracts/texts/site/pages';
import { getNewsletterSubscription } from '@uprez/domain/newsletter/subscribers/subscription';
import type { Deps } from '../../deps.ts';
import { escapeHtml, servedMain } from '../../http/web/escape-html.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import { type FoundPage, findDocument, queryOf } from '../../http/web/page-document.ts';

type Reading = Pick<Deps, 'db' | 'vault'>;
type Link = { token: string; topic?: string | undefined };
type LinkPage = keyof typeof writers;

/**
 * Finds the page that a link in an email opens. Returns undefined for other URLs. Its forms are for people without
 * JavaScript.
 */
export async function findNewsletterPage(deps: Reading, url: string): Promise<FoundPage | undefined> {
  const path = pathOf(url);
  if (!Object.hasOwn(writers, path)) return undefined;
  const link = unsubscribeQuerySchema.parse(Object.fromEntries(new URLSearchParams(queryOf(url))));
  const written = link.token === '' ? invalid : await writers[path as LinkPage](deps, link);
  const parts = [`<h1>${escapeHtml(written.title)}</h1>`, `<p>${escapeHtml(written.text)}</p>`, written.form ?? ''];
  return { page: { ...findDocument(path), body: `<noscript>${servedMain(parts)}</noscript>` } };
}

type PageContent = { title: string; text: string; form?: string };
const invalid: PageContent = invalidLink;

const writers = {
  [mailPages.confirmSubscription]: (_deps: Reading, { token }: Link): PageContent => ({
    title: pageTitles[mailPages.confirmSubscription],
    text: 'Confirm that you want to get emails from us.',
    form: makeForm(routes.confirmSubscription.path, 'Confirm subscription', { token }),
  }),
  [mailPages.unsubscribe]: (_deps: Reading, link: Link): PageContent => ({
    title: pageTitles[mailPages.unsubscribe],
    text: 'You can subscribe again at any time.',
    form: makeUnsubscribeForm(link, 'Unsubscribe'),
  }),
  [mailPages.preferences]: async (deps: Reading, { token }: Link): Promise<PageContent> => {
    const found = await findSubscription(deps, token);
    if (!found) return invalid;
    const { email, topics } = found;
    const title = pageTitles[mailPages.preferences];
    if (topics.length === 0) return { title, text: `${email} gets no emails.` };
    const names = formatList(topics.map((topic) => topicNames[topic]));
    const form = makeUnsubscribeForm({ token }, 'Unsubscribe from all');
    return { title, text: `${email} gets these emails: ${names}. Turn on JavaScript to change them.`, form };
  },
};

const findSubscription = (deps: Reading, token: string) =>
  getNewsletterSubscription(deps, token).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_token') return undefined;
    throw error;
  });

const makeUnsubscribeForm = ({ token, topic }: Link, label: string): string => {
  const query = new URLSearchParams({ token, ...(topic && { topic }), redirect: 'true' });
  return makeForm(`${routes.unsubscribe.path}?${query}`, label);
};

/** Renders a form with a button. Nothing changes until the button is pressed, because mail scanners open links. */
function makeForm(action: string, label: string, fields: Record<string, string> = {}): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post" action="${escapeHtml(action)}">${inputs.join('')}<button>${label}</button></form>`;
}
