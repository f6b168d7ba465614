import { randomBytes, randomUUID } from 'node:crypto';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { listOwnInvoices } from '@uprez/db/queries/billing/own-billing';
import { createBatch } from '@uprez/domain/batches/create-batch';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { makeJob } from '@uprez/testing/make-job';
import type { SignedIn } from '@uprez/testing/sign-up';
import { finishJob } from '../finish-job.ts';
import type { TestGateway } from '../start-test-gateway.ts';

/** Creates an object of an account and returns its ID. */
type Maker = (gateway: TestGateway, owner: SignedIn) => Promise<string>;

const makeFinishedJob: Maker = async ({ ctx }, { user }) => {
  const { job } = await makeJob(ctx, { accountId: user.id, plan: currentPlans.free });
  await finishJob(ctx, job.id);
  return job.id;
};
const findSession: Maker = async ({ ctx }, { user }) => {
  const rows = await ctx.db.selectFrom('sessions').select('id').where('userId', '=', user.id).execute();
  return rows[0]?.id ?? '';
};
const makeExport: Maker = async ({ ctx }, { user }) => {
  const id = randomUUID();
  await ctx.db
    .insertInto('accountTasks')
    .values({ id, userId: user.id, kind: 'export', status: 'done', objectId: null })
    .execute();
  return id;
};

const makeBatch: Maker = async ({ ctx }, { user }) => {
  const { batch } = await createBatch(ctx, {
    actor: { accountId: user.id, plan: currentPlans.free },
    recipe: { ...recipeDefaults, scaleFactor: 2 },
    items: [{ clientId: 'a', name: 'a.png', relativePath: '', size: null, meter: 'standard' }],
    acceptPartial: false,
  });
  return batch.id;
};
const makeApiKey: Maker = async ({ ctx }, { user }) => {
  const id = randomUUID();
  await ctx.db
    .insertInto('apiKeys')
    .values({
      id,
      accountId: user.id,
      name: 'a key',
      kind: 'live',
      secretHash: randomBytes(32),
      preview: 'upz_live_abcd...wxyz',
      scopes: ['read'],
    })
    .execute();
  return id;
};

const makePasskey: Maker = async ({ ctx }, { user }) => {
  const id = randomUUID();
  const credential = { credentialId: randomBytes(16), publicKey: randomBytes(77), counter: 0, name: 'a passkey' };
  await ctx.db
    .insertInto('passkeys')
    .values({ id, userId: user.id, ...credential })
    .execute();
  return id;
};

const makeWebhook: Maker = async ({ ctx }, { user }) => {
  const id = randomUUID();
  const facts = { kind: 'endpoint', url: 'https://hooks.example/', isSandbox: false, secret: 'sealed' } as const;
  await ctx.db
    .insertInto('webhookEndpoints')
    .values({ id, accountId: user.id, ...facts })
    .execute();
  return id;
};

/** An account has one customer at Stripe. */
const makeInvoice: Maker = async ({ ctx }, { user }) => {
  const [invoice] = await listOwnInvoices(ctx.db, { accountId: user.id });
  if (invoice) return invoice.id;
  const from = new Date();
  const until = new Date(Number(from) + 86_400_000);
  return (await makePaidPlan(ctx.db, { accountId: user.id, tier: 'pro', from, until })).invoiceId;
};

/** Fixtures for all endpoints with an ID. A new endpoint without one fails the tests. */
export const makers: Partial<Record<RouteName, Maker>> = {
  downloadImage: makeFinishedJob,
  thumbnail: makeFinishedJob,
  jobReceipt: makeFinishedJob,
  shareResult: makeFinishedJob,
  getJob: makeFinishedJob,
  deleteJob: makeFinishedJob,
  retryJob: makeFinishedJob,
  endSession: findSession,
  downloadExport: makeExport,
  downloadInvoice: makeInvoice,
  renamePasskey: makePasskey,
  deletePasskey: makePasskey,
  putBatchItem: makeBatch,
  getBatch: makeBatch,
  cancelBatch: makeBatch,
  pauseBatch: makeBatch,
  retryBatch: makeBatch,
  batchZip: makeBatch,
  batchManifest: makeBatch,
  batchManifestCsv: makeBatch,
  toggleApiKey: makeApiKey,
  updateApiKey: makeApiKey,
  rotateApiKey: makeApiKey,
  deleteApiKey: makeApiKey,
  apiKeyUsage: makeApiKey,
  getWebhook: makeWebhook,
  v1GetWebhook: makeWebhook,
  updateWebhook: makeWebhook,
  v1UpdateWebhook: makeWebhook,
  deleteWebhook: makeWebhook,
  v1DeleteWebhook: makeWebhook,
  rotateWebhookSecret: makeWebhook,
  v1RotateWebhookSecret: makeWebhook,
  testWebhook: makeWebhook,
  v1TestWebhook: makeWebhook,
  resendWebhook: makeWebhook,
  v1ResendWebhook: makeWebhook,
  listWebhookDeliveries: makeWebhook,
  v1ListWebhookDeliveries: makeWebhook,
  getWebhookDelivery: makeWebhook,
  v1GetWebhookDelivery: makeWebhook,
  resendWebhookDelivery: makeWebhook,
  v1ResendWebhookDelivery: makeWebhook,
  v1GetJob: makeFinishedJob,
  v1JobStatus: makeFinishedJob,
  v1JobResult: makeFinishedJob,
  v1JobReceipt: makeFinishedJob,
  v1DeleteJob: makeFinishedJob,
  v1PutBatchItem: makeBatch,
  v1GetBatch: makeBatch,
  v1CancelBatch: makeBatch,
  v1RetryBatch: makeBatch,
  v1BatchZip: makeBatch,
  v1BatchManifest: makeBatch,
  v1BatchManifestCsv: makeBatch,
};

/** A response that no browser made. */
const credential = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {} };

/** Valid bodies of endpoints that require one. */
export const bodies: Partial<Record<RouteName, (user: SignedIn) => object>> = {
  pauseBatch: () => ({ paused: true }),
  estimate: () => ({ width: 100, height: 100 }),
  register: () => ({ email: `${randomUUID()}@example.test`, password: 'correct horse' }),
  login: ({ email, password }) => ({ email, password }),
  updateProfile: () => ({ firstName: 'Eve', lastName: null }),
  stepUp: ({ password }) => ({ password }),
  changePassword: ({ password }) => ({ currentPassword: password, newPassword: `${password} too` }),
  changeEmail: ({ password }) => ({ email: `${randomUUID()}@example.test`, password }),
  requestExport: ({ password }) => ({ password }),
  deleteAccount: ({ password }) => ({ password }),
  forgotPassword: ({ email }) => ({ email }),
  resetPassword: () => ({ token: 'x'.repeat(43), newPassword: 'correct horse' }),
  openInvitation: () => ({ token: 'x'.repeat(43) }),
  acceptInvitation: () => ({ token: 'x'.repeat(43), password: 'correct horse' }),
  verifyEmail: () => ({ token: 'x'.repeat(43) }),
  createBatch: () => ({ items: [{ clientId: 'a', name: 'a.png' }] }),
  retryBatch: () => ({}),
  shareResult: () => ({ hours: 1 }),
  createApiKey: () => ({ name: 'CI' }),
  toggleApiKey: () => ({ isActive: false }),
  createWebhook: () => ({ url: 'https://hooks.example/' }),
  updateWebhook: () => ({ description: 'mine' }),
  resendWebhook: () => ({ since: new Date().toISOString() }),
  v1ResendWebhook: () => ({ since: new Date().toISOString() }),
  updateApiKey: () => ({ name: 'mine' }),
  rotateApiKey: () => ({}),
  setUpTwoFactor: ({ password }) => ({ password }),
  enableTwoFactor: () => ({ code: '123456' }),
  disableTwoFactor: ({ password }) => ({ password }),
  renewRecoveryCodes: ({ password }) => ({ password }),
  startPasskeyRegistration: ({ password }) => ({ password }),
  registerPasskey: () => ({
    name: 'a passkey',
    response: { ...credential, response: { clientDataJSON: 'x', attestationObject: 'x' } },
  }),
  renamePasskey: () => ({ name: 'mine' }),
  signInWithPasskey: () => ({
    response: { ...credential, response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' } },
  }),
};

export type Asked = { name: RouteName; id?: string; body?: object; headers?: Record<string, string> };

/** Parameters without which an endpoint has no valid call. */
const queries: Partial<Record<RouteName, string>> = { adminExportAnalytics: '?table=days' };

/** Calls an endpoint by name. */
export function ask(baseUrl: string, fetcher: typeof fetch, { name, id, body, headers }: Asked): Promise<Response> {
  const { method, path } = routes[name];
  const named = path.replace(/:(id|name)\b/, id ?? randomUUID()).replace(':fileId', id ?? randomUUID());
  const numbered = named.replace(':number', '1');
  const filled = numbered.replace(/:\w+/g, 'file.png') + (queries[name] ?? '');
  return fetcher(baseUrl + filled, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'manual',
  });
}
