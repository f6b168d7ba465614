import { queueMail } from '@uprez/domain/mails/queue-mail';
import { findMailLink, openMailCatcher, waitForMail } from '@uprez/testing/mail';
import { makeUser } from '@uprez/testing/make-user';
import { startIsolatedProduct } from '@uprez/testing/products/start-test-product';
import { expect, onTestFinished, test } from 'vitest';

test('the dispatcher sends queued emails through the SMTP server, with links of PUBLIC_URL', async () => {
  const catcher = await openMailCatcher();
  onTestFinished(catcher.close);
  const product = await startIsolatedProduct({
    services: ['dispatcher'],
    env: { ...catcher.env, PUBLIC_URL: 'https://images.example' },
  });
  onTestFinished(product.close);
  const { accountId } = await makeUser(product.db);
  await queueMail(product.db, accountId, { mail: 'reset_password' });
  const link = findMailLink(await waitForMail(catcher.url, `${accountId}@example.test`));
  expect(link.href).toMatch(/^https:\/\/images\.example\/reset-password\?token=[\w-]{43}$/);
  const { lines } = product.services[0] ?? { lines: [] };
  expect(lines.join('\n')).not.toMatch(new RegExp(`${accountId}@|${link.searchParams.get('token')}`));
});
