import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createSessionSecret } from '@uprez/domain/accounts/sessions';
import { createKeySecret } from '@uprez/domain/api-keys/key-secret';
import { makeLinkToken } from '@uprez/domain/mails/account-token';

export type SecretRequest = { path: string; method?: string; headers?: Record<string, string>; body?: string };

const post = (path: string, body: object): SecretRequest => ({
  path,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The cookie of a session that has ended, as a client may have kept it. */
function endedSession(sessionSecret: string): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sid: createSessionSecret() })}`;
  return `uprez=${signed}.${createHmac('sha256', sessionSecret).update(signed).digest('base64url')}`;
}

const passkey = () => ({
  ...{ id: randomBytes(16).toString('base64url'), type: 'public-key', clientExtensionResults: {} },
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: randomBytes(8).toString('base64url') },
});

/** Makes requests with a secret that nothing has, by what it is looked up as. `sessionSecret`: what signs sessions. */
export const unknownSecrets = {
  keys: () => ({ path: '/v1/account', headers: { authorization: `Bearer ${createKeySecret('live')}` } }),
  'service-keys': () => ({ path: '/v1/account', headers: { authorization: `Bearer ${createKeySecret('service')}` } }),
  sessions: (secret: string) => ({ path: '/api/user', headers: { cookie: endedSession(secret) } }),
  'image-urls': () => ({
    path: `/v1/img/${makeLinkToken()}/k:${randomBytes(8).toString('hex')},width:9/aHR0cDovL2E`,
  }),
  resets: () => post('/api/reset-password', { token: makeLinkToken(), newPassword: 'correct horse' }),
  confirmations: () => post('/api/verify-email', { token: makeLinkToken() }),
  invitations: () => post('/api/invitations/open', { token: makeLinkToken() }),
  passkeys: () => post('/api/passkeys/sign-in', { response: { ...passkey(), rawId: 'AA' } }),
  subscriptions: () => post('/api/newsletter/confirm', { token: makeLinkToken() }),
  previews: () => ({ path: `/api/previews/${makeLinkToken()}` }),
} satisfies Record<string, (sessionSecret: string) => SecretRequest>;

/** The same for secrets that are signed, so that they are refused without a lookup. */
export const forgedSecrets = {
  subscribers: () => post(`/api/newsletter/unsubscribe?token=${makeLinkToken()}`, {}),
  'download-links': () => ({ path: `/api/files/${randomUUID()}/a.png?exp=9999999999&sig=a.b` }),
} satisfies Record<string, () => SecretRequest>;
