import { subscriptionAsked } from '@uprez/contracts/texts/newsletter';
import { mailPages } from '@uprez/contracts/texts/pages';
import { subscribe } from '@uprez/domain/newsletter/subscribers/subscribe';
import {
  confirmSubscription,
  getSubscription,
  unsubscribe,
  updateSubscription,
} from '@uprez/domain/newsletter/subscribers/subscription';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Dialect } from '../dialect.ts';

/** Answers contain an email address, or lead to one. */
const keepPrivate = (reply: FastifyReply) => reply.header('cache-control', 'no-store');

/** Subscribing, and the links in emails. GET requests change nothing, because mail scanners follow links. */
export function registerSubscriptionRoutes({ route }: Dialect, deps: Deps): void {
  route('subscribe', async (request, reply) => {
    await subscribe(deps, request.body);
    return reply.status(202).send({ message: subscriptionAsked });
  });
  route('confirmSubscription', async (request, reply) => {
    keepPrivate(reply);
    return confirmSubscription(deps, request.body.token);
  });
  route('getSubscription', async (request, reply) => {
    keepPrivate(reply);
    return getSubscription(deps, request.query.token);
  });
  route('updateSubscription', async (request) => updateSubscription(deps, { ...request.query, ...request.body }));
  route('unsubscribe', async (request) => unsubscribe(deps, request.query));
  route('unsubscribePage', (request, reply) => {
    const query = new URLSearchParams(request.query as Record<string, string>);
    return reply.redirect(`${mailPages.unsubscribe}?${query}`, 303);
  });
}
