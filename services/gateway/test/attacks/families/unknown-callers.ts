import http from 'node:http';
import { forgedSecrets, type SecretRequest, unknownSecrets } from '../../support/http/unknown-secrets.ts';
import type { Attack, Target } from '../support/attack.ts';
import { addressOf, call, repeatFor } from '../support/calls.ts';

const senders = 60;
const block = 13;
const secrets: Record<string, (sessionSecret: string) => SecretRequest> = { ...unknownSecrets, ...forgedSecrets };

/** As many requests at once as one network may send, each with another secret and from the next address. */
async function flood(kind: string, { url, seconds, input }: Target) {
  const agents = Array.from({ length: senders }, () => new http.Agent({ keepAlive: true, maxSockets: 1 }));
  const facts = { sent: 0, limited: 0, errors: 0, accepted: 0 };
  const failures = await repeatFor({ seconds, senders }, async (at) => {
    const request = secrets[kind]?.(input.sessionSecret ?? '');
    if (!request) throw new Error(`no secrets are called ${kind}`);
    const { status } = await call({ url, ...request, from: addressOf(block, at), agent: agents[at % senders] });
    facts.sent += 1;
    if (status === 429) facts.limited += 1;
    else if (status >= 500) facts.errors += 1;
    else if (status < 400) facts.accepted += 1;
  });
  for (const agent of agents) agent.destroy();
  return { ...facts, failures };
}

const makeAttack = (kind: string): Attack => ({
  name: `unknown-callers:${kind}`,
  seconds: 6,
  prepare: async ({ product }) => ({ sessionSecret: product.env.SESSION_SECRET ?? '' }),
  run: (target) => flood(kind, target),
  check: ({ facts }) => ({
    'secrets were sent': (facts.sent ?? 0) >= senders,
    'no secret is accepted': facts.accepted === 0,
    'no request fails with an internal error': facts.errors === 0 && facts.failures === 0,
  }),
});

/** Floods of secrets that nothing has, one attack for each kind. */
export const unknownCallers: readonly Attack[] = Object.keys(secrets).map(makeAttack);
