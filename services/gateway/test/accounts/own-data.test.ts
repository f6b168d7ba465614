import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { insertRejectedImages } from '@uprez/db/queries/jobs/rejected-images';
import { makeExports } from '@uprez/domain/accounts/own-data/make-exports';
import { deleteMarkedObjects } from '@uprez/domain/uploads/delete-objects';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import type { SignedIn } from '@uprez/testing/sign-up';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { makers } from '../support/accounts/access-table.ts';
import { freshEmail, openAccountCalls } from '../support/accounts/accounts.ts';
import { expectClean } from '../support/batches.ts';
import { fields, png, sendContact } from '../support/contact.ts';
import { finishJob } from '../support/finish-job.ts';
import { readZip } from '../support/http/read-zip.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it checks the ledger of all accounts.
const gateway = fileFixture(() => startTestGateway());
const calls = openAccountCalls(gateway);
afterEach(() => expectClean(gateway.ctx));

const day = 86_400;
const codeOf = (response: Response) => ({ status: response.status, code: response.headers.get('x-error-code') });
const ask = (user: SignedIn, password = user.password) => calls.postAs(user, '/api/user/export', { password });
const list = async (user: SignedIn) => (await user.client.listExports()).data;
const fetchExport = (user: SignedIn, id: string, headers: Record<string, string> = {}) =>
  user.fetch(`${gateway.url}/api/user/export/${id}`, { headers });

async function makeResult({ user }: SignedIn, bytes: string): Promise<string> {
  const { job } = await makeJob(gateway.ctx, { accountId: user.id, plan: currentPlans.free });
  await finishJob(gateway.ctx, job.id, bytes);
  return job.id;
}

async function makeExport(user: SignedIn): Promise<string> {
  const { id } = await (await ask(user)).json();
  expect(await makeExports(gateway.ctx)).toBe(1);
  return id;
}
const task = (id: string) =>
  gateway.ctx.db.selectFrom('accountTasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const objectsOf = ({ user }: SignedIn) =>
  gateway.ctx.db
    .selectFrom('objects')
    .selectAll()
    .where('accountId', '=', user.id)
    .where('kind', '=', 'export')
    .execute();
/** Makes a task due again. */
const makeDue = (id: string) =>
  gateway.ctx.db.updateTable('accountTasks').set({ notBefore: sql<Date>`now()` }).where('id', '=', id).execute();

describe('POST /api/user/export', () => {
  it('returns 403 without the password and 401 without a session', async () => {
    const user = await gateway.signUp();
    expect(codeOf(await ask(user, 'not this one'))).toEqual({ status: 403, code: 'wrong_password' });
    expect(await list(user)).toEqual([]);
    expect(codeOf(await calls.post('/api/user/export', {}))).toEqual({ status: 401, code: 'not_signed_in' });
  });

  it('starts one export at a time', async () => {
    const user = await gateway.signUp();
    const answers = await Promise.all([ask(user), ask(user), ask(user)]);
    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202]);
    const views = await Promise.all(answers.map((answer) => answer.json()));
    expect(new Set(views.map((view) => view.id)).size).toBe(1);
    expect(views[0]).toMatchObject({ status: 'waiting', downloadUrl: null, sizeBytes: null, expiresAt: null });
    const made = await Promise.all([makeExports(gateway.ctx), makeExports(gateway.ctx)]);
    expect(made.sort()).toEqual([0, 1]);
    expect(await list(user)).toMatchObject([{ id: views[0].id, status: 'done' }]);
  });

  it('returns an export of the last 24 hours instead of creating another', async () => {
    const user = await gateway.signUp();
    const id = await makeExport(user);
    const again = await ask(user);
    expect(again.status).toBe(202);
    expect(await again.json()).toMatchObject({ id, status: 'done', downloadUrl: `/api/user/export/${id}` });
    expect(await makeExports(gateway.ctx)).toBe(0);
    const before = { finishedAt: sql<Date>`now() - interval '25 hours'` };
    await gateway.ctx.db.updateTable('accountTasks').set(before).where('id', '=', id).execute();
    expect(await makeExport(user)).not.toBe(id);
  });
});

describe('an export', () => {
  it("contains the user's data and stored images, no secrets, and no data of other users", async () => {
    const [user, other] = [await gateway.signUp(), await gateway.signUp()];
    await makeResult(other, 'the image of another');
    const sent = { files: [{ name: 'a.png', bytes: png }] };
    await sendContact(gateway, { ...sent, by: other.fetch, fields: { subject: 'Of another' } });
    await sendContact(gateway, { ...sent, by: user.fetch });
    const { id: ticketId } = await gateway.ctx.db
      .selectFrom('tickets')
      .select('id')
      .where('accountId', '=', user.user.id)
      .executeTakeFirstOrThrow();
    const note = { id: randomUUID(), ticketId, kind: 'note', text: 'a note of ours', authorId: null } as const;
    await gateway.ctx.db.insertInto('ticketMessages').values(note).execute();
    const jobId = await makeResult(user, 'the bytes of my image');
    const { job: waiting } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
    const sealed = { twoFactorSecret: 'a sealed secret' };
    await gateway.ctx.db.updateTable('users').set(sealed).where('id', '=', user.user.id).execute();
    const change = { action: 'user.tier', before: { tier: 'free' }, after: { tier: 'pro' }, reason: 'a gift' };
    const by = { actorId: other.user.id, address: '192.0.2.7' };
    await insertAudit(gateway.ctx.db, { ...change, ...by, subject: `user:${user.user.id}` });
    await insertAudit(gateway.ctx.db, { ...change, ...by, subject: `user:${other.user.id}` });
    const errorDetail = 'The image is damaged.';
    const images = [{ filename: 'broken.png', errorCode: 'corrupt_image' as const, errorDetail }];
    for (const { user: of } of [user, other])
      await insertRejectedImages(gateway.ctx.db, { accountId: of.id, surface: 'web', images });
    const keyId = await makers.deleteApiKey?.(gateway, user);
    const batchId = await makers.getBatch?.(gateway, user);
    await makers.getBatch?.(gateway, other);
    const month = { from: new Date('2026-11-01'), until: new Date('2026-12-01') };
    const bought = { tier: 'pro' as const, status: 'open' as const, ...month };
    const { subscriptionId, invoiceId } = await makePaidPlan(gateway.ctx.db, { accountId: user.user.id, ...bought });
    await makePaidPlan(gateway.ctx.db, { accountId: other.user.id, ...bought });
    await calls.change(user, { emailVerified: true });
    for (const email of [freshEmail(), other.email]) {
      await calls.postAs(user, '/api/user/email', { email, password: user.password });
      await calls.ageMails(user, 61);
    }
    const id = await makeExport(user);
    const [view] = await list(user);
    expect(view).toMatchObject({ id, status: 'done', downloadUrl: `/api/user/export/${id}` });
    expect(Date.parse(view?.expiresAt ?? '') - Date.now()).toBeGreaterThan(6.9 * day * 1_000);
    expect(await calls.mails(user, 'export_ready')).toEqual([{ mail: 'export_ready', expiresAt: view?.expiresAt }]);

    const response = await fetchExport(user, id);
    expect(response.headers.get('content-type')).toBe('application/zip');
    // The export must not stay in the browser's cache after signing out.
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=export-\d{4}-\d\d-\d\d\.zip$/);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBe(view?.sizeBytes);
    const files = readZip(bytes);
    const json = (name: string) => JSON.parse(String(files.get(name)));
    const [attachment = ''] = [...files.keys()].filter((name) => name.startsWith('attachments/'));
    expect(files.get(attachment)).toEqual(png);
    const [message, ...others] = json('messages.json');
    expect(others).toEqual([]);
    // Without the notes of administrators.
    expect(message).toMatchObject({ subject: fields.subject, messages: [{ from: 'you', text: fields.message }] });
    expect([...files.keys()].sort()).toEqual(
      [
        'README.txt',
        attachment,
        'audit.json',
        'batches.json',
        'billing.json',
        'jobs.json',
        'keys.json',
        'ledger.json',
        'mails.json',
        'messages.json',
        'newsletter.json',
        `images/${jobId}.png`,
        'passkeys.json',
        'profile.json',
        'rejected_images.json',
        'sessions.json',
        'image_urls.json',
        'webhooks.json',
      ].sort(),
    );
    const explained = String(files.get('README.txt')).matchAll(/^(\w+[./]\w*) /gm);
    expect([...explained].map(([, name]) => name).sort()).toEqual(
      [...files.keys()]
        .map((name) => name.replace(/\/.*/, '/'))
        .filter((name) => name !== 'README.txt')
        .sort(),
    );
    expect(json('rejected_images.json')).toMatchObject([{ filename: 'broken.png', error: 'corrupt_image' }]);
    expect(json('profile.json')).toMatchObject({ email: user.email, firstName: 'Ada', plan: 'free' });
    expect(json('sessions.json').sessions).toMatchObject([{ address: '127.0.0.1' }]);
    expect(json('jobs.json')).toMatchObject([
      { id: waiting.id, status: 'queued', image: null },
      { id: jobId, filename: 'image.png', status: 'completed', image: `images/${jobId}.png` },
    ]);
    expect(json('ledger.json').map((row: { kind: string }) => row.kind)).toEqual([
      'grant',
      'grant',
      'reserve',
      'settle',
      'reserve',
      'reserve',
    ]);
    expect(json('keys.json')).toMatchObject([{ id: keyId, name: 'a key', preview: 'upz_live_abcd...wxyz' }]);
    expect(Object.keys(json('keys.json')[0])).not.toContain('secretHash');
    expect(json('batches.json')).toMatchObject([{ id: batchId, files: [{ name: 'a.png', status: 'waiting' }] }]);
    expect(json('billing.json')).toMatchObject({
      subscriptions: [{ id: subscriptionId, plan: 'pro', cents: 700 }],
      bills: [{ id: invoiceId, status: 'open', total: 700 }],
    });
    // An email to a requested address would reveal whether it has an account.
    expect(json('mails.json').map((row: { mail: string }) => row.mail)).not.toContain('confirm_new_email');
    expect(json('audit.json')).toEqual([{ ...change, createdAt: expect.any(String) }]);
    expect(String(files.get(`images/${jobId}.png`))).toBe('the bytes of my image');
    const { passwordHash, twoFactorSecret: secret } = await calls.row(user);
    const foreign = [other.email, other.user.id, by.address, 'the image of another'];
    for (const absent of [passwordHash, 'argon2', 'passwordHash', 'idHash', 'secretHash', secret ?? '', ...foreign])
      expect(bytes.includes(absent), absent).toBe(false);
  });

  it('supports ranges and ETags', async () => {
    const user = await gateway.signUp();
    const id = await makeExport(user);
    const part = await fetchExport(user, id, { range: 'bytes=0-3' });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).toString('hex')).toBe('504b0304');
    const etag = part.headers.get('etag') ?? '';
    expect((await fetchExport(user, id, { 'if-none-match': etag })).status).toBe(304);
  });

  it("returns the same 404 when missing, unfinished, expired, or another user's", async () => {
    const [user, other] = [await gateway.signUp(), await gateway.signUp()];
    const [expired, foreign] = [await makeExport(user), await makeExport(other)];
    const past = { expiresAt: sql<Date>`now()` };
    await gateway.ctx.db.updateTable('accountTasks').set(past).where('id', '=', expired).execute();
    await gateway.ctx.db.updateTable('objects').set(past).where('accountId', '=', user.user.id).execute();
    const { id: unfinished } = await (await ask(user)).json();
    const answers = [];
    for (const id of [randomUUID(), 'no-id', expired, unfinished, foreign]) {
      const response = await fetchExport(user, id);
      answers.push({ ...codeOf(response), body: await response.text() });
    }
    expect(answers).toEqual(Array(5).fill(answers[0]));
    expect(answers[0]).toMatchObject({ status: 404, code: 'export_not_found' });
    expect(await list(user)).toMatchObject([
      { status: 'waiting' },
      { id: expired, status: 'expired', downloadUrl: null },
    ]);
    const [gone] = await objectsOf(user);
    await makeExports(gateway.ctx);
    await deleteMarkedObjects(gateway.ctx, day);
    expect((await task(expired)).status).toBe('expired');
    expect(await gateway.ctx.storage.head(gone?.key ?? '')).toBeUndefined();
    expect((await fetchExport(other, foreign)).status).toBe(200);
  });

  it('is not deleted as an unfinished upload before it expires', async () => {
    const user = await gateway.signUp();
    const id = await makeExport(user);
    const old = { createdAt: sql<Date>`now() - interval '2 days'` };
    await gateway.ctx.db.updateTable('objects').set(old).where('accountId', '=', user.user.id).execute();
    await deleteMarkedObjects(gateway.ctx, day);
    expect((await fetchExport(user, id)).status).toBe(200);
  });
});

describe('an export attempt', () => {
  it('is retried after a failure, up to 5 attempts, and leaves no bytes', async () => {
    const user = await gateway.signUp();
    const jobId = await makeResult(user, 'a sound image');
    const { id } = await (await ask(user)).json();
    await gateway.ctx.storage.put(`results/${jobId}/1`, Readable.from([Buffer.from('a broken one')]));
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await makeExports(gateway.ctx)).toBe(0);
      expect(await task(id)).toMatchObject({ status: 'waiting', attempts: attempt });
      expect(await makeExports(gateway.ctx)).toBe(0);
      expect((await task(id)).attempts).toBe(attempt);
      await makeDue(id);
    }
    await makeExports(gateway.ctx);
    expect(await list(user)).toMatchObject([{ id, status: 'failed', downloadUrl: null }]);
    expect((await objectsOf(user)).map((object) => object.state)).toEqual(Array(5).fill('deleting'));
    await deleteMarkedObjects(gateway.ctx, day);
    expect(await objectsOf(user)).toEqual([]);
    await gateway.ctx.storage.put(`results/${jobId}/1`, Readable.from([Buffer.from('a sound image')]));
    expect((await (await ask(user)).json()).id).not.toBe(id);
    expect(await makeExports(gateway.ctx)).toBe(1);
  });

  it('delivers nothing after its lease expired', async () => {
    const user = await gateway.signUp();
    await makeResult(user, 'an image');
    const { id } = await (await ask(user)).json();
    const { ctx } = gateway;
    let taken = 0;
    const get: typeof ctx.storage.get = async (key, options) => {
      // The lease expires while the image is read, and another process claims the task.
      await makeDue(id);
      taken += await makeExports(ctx);
      return ctx.storage.get(key, options);
    };
    expect(await makeExports({ ...ctx, storage: { ...ctx.storage, get } })).toBe(0);
    expect(taken).toBe(1);
    expect(await task(id)).toMatchObject({ status: 'done', attempts: 2 });
    expect(await calls.mails(user, 'export_ready')).toHaveLength(1);
    expect((await objectsOf(user)).map(({ key, state }) => `${key} ${state}`).sort()).toEqual([
      `exports/${id}/1 deleting`,
      `exports/${id}/2 stored`,
    ]);
    await deleteMarkedObjects(ctx, day);
    expect((await fetchExport(user, id)).status).toBe(200);
  });
});
