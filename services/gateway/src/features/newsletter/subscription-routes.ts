import { AppError } from '@uprez/contracts/errors/app-error';
import { subscriptionRequestedText } from '@uprez/contracts/texts/newsletter';
import { mailPages } from '@uprez/contracts/texts/site/pages';
import { subscribe } from '@uprez/domain/newsletter/subscribers/subscribe';
import {
  confirmSubscription,
  getNewsletterSubscription,
  unsubscribe,
  updateSubscription,
} from '@uprez/domain/newsletter/subscribers/subscription';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import { isUrlEncoded } from '../../http/bodies/open-upload.ts';
import { defineHandlers } from '../../http/contract.ts';
import { prove } from '../../http/request-callers.ts';

const preferencesOf = (token: string) => `${mailPages.preferences}?${new URLSearchParams({ token })}`;

/** Returns undefined for an invalid link. The page that follows shows the error. */
const orInvalid = <T>(result: Promise<T>): Promise<T | undefined> =>
  result.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_token') return undefined;
    throw error;
  });

/** Prevents caching of responses that contain an email address or lead to one. */
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
      const confirmed = prove(request, { sort: 'subscription', secret, find });
      if (!isUrlEncoded(request)) return confirmed;
      const token = (await orInvalid(confirmed))?.token;
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
      await orInvalid(left);
      return reply.redirect(preferencesOf(link.token), 303);
    },
    unsubscribePage: ({ query: { token, topic } }, reply) =>
      reply.redirect(`${mailPages.unsubscribe}?${new URLSearchParams({ token, ...(topic && { topic }) })}`, 303),
  });
