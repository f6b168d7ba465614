import { normalizeIP } from '@fastify/rate-limit';
import type { RouteName } from '@uprez/contracts/endpoints/routes';
import { errorCodeHeader } from '@uprez/contracts/errors/problem';
import type { AccessKind } from '@uprez/contracts/policy/access-log';
import type { AccessEvent } from '@uprez/domain/access/open-access-log';
import { isUuid } from '@uprez/domain/actor';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { type RouteConfig, routeOf } from '../contract.ts';
import { isPolledRead } from '../polled-reads.ts';
import { type AccessFacts, accessFacts } from './note-access.ts';

/** Records responses in the access log, after they were sent. */
export function registerAccessLog(app: FastifyInstance, { accessLog, config }: Pick<Deps, 'accessLog' | 'config'>) {
  app.addHook('onResponse', (request, reply, done) => {
    const access = describeAccess(config, request, reply);
    if (access?.isRecorded) accessLog.record(access.event);
    if (access?.event.keyId) accessLog.countKey(access.event);
    done();
  });
}

const signIns: readonly RouteName[] = ['login', 'signInWithPasskey', 'register', 'acceptInvitation'];
const signInErrors = ['bad_credentials', 'bad_passkey', 'account_suspended'];
const wrongProofs = ['bad_credentials', 'bad_passkey', 'bad_two_factor_code'];
/** A password that confirms a change counts like one of a sign-in. */
const proofErrors = ['wrong_password', 'too_many_attempts'];
const resets: readonly RouteName[] = ['forgotPassword', 'resetPassword'];

/** `isPolled`: whether a page reads it every few seconds. */
type Outcome = { status: number; code: string | undefined; isPolled: boolean };

/** What a response means for the access log; undefined if it isn't recorded. */
function kindOf({ name, auth }: RouteConfig, facts: AccessFacts, outcome: Outcome): AccessKind | undefined {
  const { status, code, isPolled } = outcome;
  // What they read of the accounts that they view is recorded each time.
  if (facts.staffId) return isPolled && auth === 'admin' ? undefined : 'admin_call';
  if (facts.isLastAttempt && code && wrongProofs.includes(code)) return 'account_locked';
  if (code === 'bad_two_factor_code') return 'two_factor_failed';
  if (signIns.includes(name) && status < 400) return 'sign_in';
  if (signIns.includes(name) && code && signInErrors.includes(code)) return 'sign_in_failed';
  if (code && proofErrors.includes(code)) return 'sign_in_failed';
  // Visitors of websites send them, and nobody could guess a signature.
  if (name === 'v1Image') return undefined;
  if (status === 403 || status === 429 || code === 'bad_api_key') return 'rejected';
  // Requests with invalid parameters reset nothing.
  return resets.includes(name) && (status < 400 || code === 'invalid_token') ? 'password_reset' : undefined;
}

type Params = Record<string, string> | undefined;

/** The path of a call as the route names it, because parts of paths can be secrets. Administrators' paths have their ID. */
function pathOf(request: FastifyRequest, { auth }: RouteConfig): string {
  const pattern = request.routeOptions.url ?? '';
  const id = (request.params as Params)?.id;
  return auth === 'admin' && id && isUuid(id) ? pattern.replace(/:id(?=\/|$)/, id.toLowerCase()) : pattern;
}

/** The account that a call of an administrator is about. */
function subjectOf(request: FastifyRequest): string | null {
  const id = (request.params as Params)?.id;
  const isOfUser = /^\/api\/admin\/(?:users|payments\/accounts)\/:id(?:\/|$)/.test(request.routeOptions.url ?? '');
  return isOfUser && id && isUuid(id) ? id : null;
}

type DescribedRequest = { event: AccessEvent; isRecorded: boolean };

/** A request as an event of the access log, or undefined if it is neither recorded nor counted for an API key. */
function describeAccess(
  config: Pick<Config, 'COUNTRY_HEADER'>,
  request: FastifyRequest,
  reply: FastifyReply,
): DescribedRequest | undefined {
  const route = routeOf(request);
  if (!route) return undefined;
  const facts = accessFacts(request);
  const code = reply.getHeader(errorCodeHeader) as string | undefined;
  const status = reply.statusCode;
  const kind = kindOf(route, facts, { status, code, isPolled: isPolledRead(request, reply) });
  if (!kind && !facts.keyId) return undefined;
  const address = request.ip ?? null;
  const event: AccessEvent = {
    kind: kind ?? 'key_new_network',
    userId: (route.auth === 'admin' && facts.staffId ? subjectOf(request) : facts.userId) ?? null,
    staffId: facts.staffId ?? null,
    keyId: facts.keyId ?? null,
    address,
    network: address && networkOf(address),
    agent: request.headers['user-agent']?.slice(0, 300) ?? null,
    country: readCountry(config, request),
    method: request.method,
    path: pathOf(request, route),
    status,
    requestId: request.id,
    newDevice: facts.isNewDevice ?? false,
  };
  return { event, isRecorded: kind !== undefined };
}

/** The network of an IP address: /24 of IPv4, /48 of IPv6. Both are what one customer usually moves within. */
function networkOf(address: string): string {
  const plain = normalizeIP(address, 48);
  return plain.includes(':') ? `${plain}/48` : `${plain.split('.').slice(0, 3).join('.')}.0/24`;
}

/**
 * The country (ISO 3166) that the proxy named in the configured header. Null without the header, and for requests that
 * didn't come through a trusted proxy: everyone else could name any country.
 */
function readCountry(
  { COUNTRY_HEADER }: Pick<Config, 'COUNTRY_HEADER'>,
  { ips = [], headers }: Pick<FastifyRequest, 'ips' | 'headers'>,
): string | null {
  // Of requests that a trusted proxy forwarded, Fastify lists the proxy and the client.
  if (COUNTRY_HEADER === '' || ips.length < 2) return null;
  const country = headers[COUNTRY_HEADER];
  // Proxies write XX for an unknown country.
  return typeof country === 'string' && /^[A-Z]{2}$/.test(country) && country !== 'XX' ? country : null;
}
