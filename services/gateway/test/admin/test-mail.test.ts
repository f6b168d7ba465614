import { createServer, type Server, type Socket } from 'node:net';
import { fileFixture } from '@uprez/testing/fixtures';
import { listMails, openMailCatcher } from '@uprez/testing/mail';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type email, mailServerOf, setStepUp, signUpAdmin } from '../support/accounts/admin-calls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes settings.
const gateway = fileFixture(() => startTestGateway());
const catcher = fileFixture(() => openMailCatcher());
const admin = fileFixture(() => signUpAdmin(gateway));
beforeEach(() => gateway.ctx.db.deleteFrom('settings').execute());

const working = () => mailServerOf(catcher);
const test = async (body: object) => (await admin.client.adminSendTestMail({ body: body as typeof email })).data;

/** Opens a server that sends this to each connection. Returns its port. */
async function openServer(greeting: string): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write(greeting);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

describe('a test mail', () => {
  it('is sent with the unsaved form to the administrator, and saves nothing', async () => {
    const { delivered, answer, to } = await test(working());
    expect([delivered, to]).toEqual([true, admin.user.email]);
    expect(answer).toMatch(/^250 /);
    expect((await listMails(catcher.url, admin.user.email))[0]).toMatchObject({ subject: 'Test mail' });
    expect((await admin.client.getEmailSettings()).data).toMatchObject({ smtpHost: '', version: 0 });
  });

  it('tells what the server answered to a wrong password, without the password', async () => {
    const { delivered, answer } = await test({ ...working(), smtpPassword: 'a wrong one' });
    expect(delivered).toBe(false);
    expect(answer).toMatch(/^535/);
    expect(answer).not.toContain('a wrong one');
  });

  it('uses the stored password for the stored server only', async () => {
    await admin.client.putEmailSettings({ body: working() });
    expect(await test({ ...working(), smtpPassword: '' })).toMatchObject({ delivered: true });
    const other = { ...working(), smtpPassword: '', smtpHost: 'localhost' };
    await expect(test(other)).rejects.toMatchObject({ status: 422, param: 'smtpPassword' });
  });

  it('tells that nothing answers at the port', async () => {
    const { delivered, answer } = await test({ ...working(), smtpPort: 9 });
    expect([delivered, answer]).toEqual([false, 'The server refused the connection.']);
  });

  it('tells nothing of what other services answer', async () => {
    const smtpPort = await openServer('HTTP/1.1 400 Bad Request secret of the service\r\n\r\n');
    const { delivered, answer } = await test({ ...working(), smtpPort });
    expect(delivered).toBe(false);
    expect(answer).not.toContain('secret');
  });

  it('ends after 10 s if the server is silent', async () => {
    const started = performance.now();
    const { delivered, answer } = await test({ ...working(), smtpPort: await openServer('') });
    expect([delivered, answer]).toEqual([false, "The server didn't answer in time."]);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it('writes an audit row with the server and the outcome, without the password', async () => {
    await test(working());
    await test({ ...working(), smtpPort: 9 });
    const { smtpHost, smtpPort } = working();
    const rows = await gateway.ctx.db
      .selectFrom('audits')
      .selectAll()
      .where('action', '=', 'settings.test_mail')
      .execute();
    expect(rows.slice(-2)).toMatchObject([
      { actorId: admin.user.id, after: { smtpHost, smtpPort, delivered: true } },
      { actorId: admin.user.id, after: { smtpHost, smtpPort: 9, delivered: false } },
    ]);
    expect(JSON.stringify(rows)).not.toContain(catcher.env.SMTP_PASSWORD);
  });

  it('requires a recent password and the permission', async () => {
    const late = await signUpAdmin(gateway);
    await setStepUp(gateway.ctx.db, late, null);
    const viewer = await signUpAdmin(gateway, 'viewer');
    await expect(late.client.adminSendTestMail({ body: working() })).rejects.toMatchObject({
      code: 'step_up_required',
    });
    await expect(viewer.client.adminSendTestMail({ body: working() })).rejects.toMatchObject({
      code: 'permission_missing',
    });
  });
});
