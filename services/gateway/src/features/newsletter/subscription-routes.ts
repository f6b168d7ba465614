import { routes } from '@uprez/contracts/endpoints/routes';
import { AppError } from '@uprez/contracts/errors/app-error';
import { invalidLink, subscriptionRequestedText, topicNames } from '@uprez/contracts/policy/newsletter';
import { unsubscribeQuerySchema } from '@uprez/contracts/schemas/newsletter/subscribers';
import { formatList } from '@uprez/contracts/texts/format';
import { pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { mailPages } from '@uprez/contracts/texts/site/pages';
import {
  confirmSubscription,
  getNewsletterSubscription,
  subscribe,
  unsubscribe,
  updateSubscription,
} from '@uprez/domain/newsletter/subscribers/subscription';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import { isUrlEncoded } from '../../http/bodies/request-bodies.ts';
import { defineHandlers } from '../../http/contract.ts';
import { lookUpSecret } from '../../http/request-callers.ts';
import { pathOf } from '../../http/web/open-pages.ts';
import { escapeHtml, type FoundPage, findDocument, queryOf, servedMain } from '../../http/web/page-document.ts';

const preferencesOf = (token: string) => `${mailPages.preferences}?${new URLSearchParams({ token })}`;

/** Returns undefined for an invalid link. The page shows the error. */
const undefinedIfInvalid = <T>(result: Promise<T>): Promise<T | undefined> =>
  result.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_token') return undefined;
    throw error;
  });

/** Prevents caching of responses that contain an email address, or a link to a page that shows one. */
const keepPrivate = (reply: FastifyReply) => reply.header('cache-control', 'no-store');

/**
 * Handlers for subscribing, and for the links in emails. GET requests change nothing, because mail scanners follow
 * links.
 */
export const subscriptionHandlers = (deps: Deps) =>
  defineHandlers({
    subscribe: async (request, reply) => {
      await subscribe(deps, request.body);
      return reply.status(202).send({ message: subscriptionRequestedText });
    },
    confirmSubscription: async (request, reply) => {
      keepPrivate(reply);
      const { token: secret } = request.body;
      const find = () => confirmSubscription(deps, secret);
      const confirmed = lookUpSecret(request, { sort: 'subscription', secret, find });
      if (!isUrlEncoded(request)) return confirmed;
      const token = (await undefinedIfInvalid(confirmed))?.token;
      return reply.redirect(token ? preferencesOf(token) : mailPages.confirmSubscription, 303);
    },
    getSubscription: async (request, reply) => {
      keepPrivate(reply);
      return getNewsletterSubscription(deps, request.query.token);
    },
    updateSubscription: async (request) => updateSubscription(deps, { ...request.query, ...request.body }),
    unsubscribe: async (request, reply) => {
      const { redirect, ...link } = request.query;
      const left = unsubscribe(deps, link);
      if (!redirect) return left;
      await undefinedIfInvalid(left);
      return reply.redirect(preferencesOf(link.token), 303);
    },
    unsubscribePage: ({ query: { token, topic } }, reply) =>
      reply.redirect(`${mailPages.unsubscribe}?${new URLSearchParams({ token, ...(topic && { topic }) })}`, 303),
  });

type Reading = Pick<Deps, 'db' | 'vault'>;
type Link = { token: string; topic?: string | undefined };
type LinkPage = keyof typeof writers;

/**
 * Finds the page for a link in an email. Returns undefined for other URLs. The page contains forms for people without
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
    const found = await undefinedIfInvalid(getNewsletterSubscription(deps, token));
    if (!found) return invalid;
    const { email, topics } = found;
    const title = pageTitles[mailPages.preferences];
    if (topics.length === 0) return { title, text: `${email} gets no emails.` };
    const names = formatList(topics.map((topic) => topicNames[topic]));
    const form = makeUnsubscribeForm({ token }, 'Unsubscribe from all');
    return { title, text: `${email} gets these emails: ${names}. Turn on JavaScript to change them.`, form };
  },
};

const makeUnsubscribeForm = ({ token, topic }: Link, label: string): string => {
  const query = new URLSearchParams({ token, ...(topic && { topic }), redirect: 'true' });
  return makeForm(`${routes.unsubscribe.path}?${query}`, label);
};

/** Nothing changes until the button is pressed, because mail scanners open links. */
function makeForm(action: string, label: string, fields: Record<string, string> = {}): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post" action="${escapeHtml(action)}">${inputs.join('')}<button>${label}</button></form>`;
}
