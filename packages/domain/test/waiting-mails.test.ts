import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { listMailAges, queueMail } from '@uprez/domain/mails/queue-mail';
import { makeMailSender } from '@uprez/domain/mails/send-mails';
import { smtpPurpose } from '@uprez/domain/settings/open-settings';
import { openVault } from '@uprez/domain/vault';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

const ctx = fileFixture(() => openTestContext());

it('an email of a later transaction has no negative age', async () => {
  const { accountId } = await makeUser(ctx.db);
  await ctx.db.transaction().execute(async (tx) => {
    await sql`select now()`.execute(tx);
    await queueMail(ctx.db, accountId, { mail: 'verify_email' });
    expect(await listMailAges(tx, accountId, 'verify_email')).toEqual([0]);
  });
});

it('emails wait while the SMTP password was encrypted under another secret', async () => {
  const { accountId } = await makeUser(ctx.db);
  const smtpPassword = openVault('the vault secret of another installation').seal('x', smtpPurpose);
  // Nothing listens there, so an attempt would fail.
  const server = { smtpHost: '127.0.0.1', smtpPort: 9, smtpUser: 'user', smtpSecure: false };
  await upsertSettings(ctx.db, 'email', { ...server, smtpPassword });
  await queueMail(ctx.db, accountId, { mail: 'welcome' });
  const warnings: string[] = [];
  const warn = (_facts: object, message: string) => void warnings.push(message);
  const send = makeMailSender({ ...ctx, log: { info: warn, warn, error: warn } }, 'https://images.example');
  expect([await send(), await send()]).toEqual([0, 0]);
  expect(warnings).toEqual(['mail delivery paused: SMTP password encrypted under another VAULT_SECRET']);
  const row = await ctx.db.selectFrom('outbox').selectAll().where('userId', '=', accountId).executeTakeFirst();
  expect(row).toMatchObject({ attempts: 0, sentAt: null, failedAt: null });
});
