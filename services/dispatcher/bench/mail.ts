import { queueMail } from '@uprez/domain/mails/queue-mail';
import { compareGoals, percentile, reportResults } from '@uprez/testing/bench-report';
import { makeSubscribers } from '@uprez/testing/factories/make-subscriber';
import { openMailCatcher, waitForMail } from '@uprez/testing/mail';
import { makeUser } from '@uprez/testing/make-user';
import { startBenchProduct } from '@uprez/testing/products/start-test-product';
import { countCampaignMails, startTestCampaign } from '../test/support/campaign-world.ts';

/**
 * Measures how long an email with a link to reset a password takes while a campaign to many subscribers is sent, compared
 * with no campaign, from its row in the outbox to the mail server. Run by `npm run bench:mail`.
 */
const subscribers = 10_000;
const runs = 5;

const catcher = await openMailCatcher({ kept: subscribers + 100 });
const product = await startBenchProduct({ services: ['dispatcher'], env: catcher.env });
const { db } = product;

async function measureReset(): Promise<number> {
  const { accountId } = await makeUser(db);
  const start = performance.now();
  await queueMail(db, accountId, { mail: 'reset_password' });
  await waitForMail(catcher.url, `${accountId}@example.test`);
  return (performance.now() - start) / 1_000;
}

async function measureResets(): Promise<number[]> {
  const seconds: number[] = [];
  for (let run = 0; run < runs; run += 1) seconds.push(await measureReset());
  return seconds;
}

try {
  const alone = await measureResets();
  await makeSubscribers(db, subscribers);
  await startTestCampaign(db);
  const start = performance.now();
  const ahead = await measureResets();
  const waiting = await countCampaignMails(db, 'pending');
  const perSecond = (subscribers - waiting) / ((performance.now() - start) / 1_000);
  console.log(`${waiting} emails of the campaign still wait`);
  const figures = {
    [`email to reset a password while ${subscribers} emails of a campaign wait, slowest of ${runs}`]: {
      ...{ value: Math.max(...ahead), median: percentile(ahead), atMost: 5, unit: 's' },
    },
    'the same without a campaign': { value: Math.max(...alone), median: percentile(alone), unit: 's' },
    'emails of the campaign per second meanwhile': { value: perSecond },
  };
  reportResults('mail', compareGoals(figures));
} finally {
  await product.close();
  await catcher.close();
}
