import { queueMail } from '@uprez/domain/mails/queue-mail';
import { makeSubscribers } from '@uprez/testing/factories/make-subscriber';
import { listMails, openMailCatcher, waitForMail } from '@uprez/testing/mail';
import { makeUser } from '@uprez/testing/make-user';
import { startIsolatedProduct } from '@uprez/testing/products/start-test-product';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { countCampaignMails, startTestCampaign } from './support/campaign-world.ts';

test('a killed dispatcher leaves one email that is sent again with its ID, and others leave ahead of the rest', async () => {
  const catcher = await openMailCatcher({ kept: 5_000 });
  onTestFinished(catcher.close);
  const product = await startIsolatedProduct({ services: ['dispatcher'], env: catcher.env });
  onTestFinished(product.close);
  const { db } = product;
  const readers = await makeSubscribers(db, 1_000);
  await startTestCampaign(db);
  await waitUntil(async () => (await countCampaignMails(db, 'sent')) >= 200);
  await product.services[0]?.end('SIGKILL');
  const { accountId } = await makeUser(db);
  await queueMail(db, accountId, { mail: 'reset_password' });
  // The lease of the email in hand ends.
  await db.updateTable('campaignMails').set({ notBefore: sql<Date>`now()` }).where('state', '=', 'pending').execute();
  await product.spawn('dispatcher');
  await waitForMail(catcher.url, `${accountId}@example.test`);
  expect(await countCampaignMails(db, 'pending')).toBeGreaterThan(0);
  await waitUntil(async () => (await countCampaignMails(db, 'pending')) === 0, { timeoutMs: 120_000 });
  const mails = (await listMails(catcher.url, '')).filter(({ subject }) => subject === 'News');
  const ids = mails.map(({ headers }) => headers['message-id']);
  expect(new Set(ids).size).toBe(readers.length);
  expect(ids.length - readers.length).toBeLessThanOrEqual(1);
});
