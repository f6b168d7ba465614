import { v1EventSchema } from '@uprez/contracts/v1/events';
import { listEvents } from '@uprez/domain/feed/release-events';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { createJob } from '@uprez/domain/jobs/create-job';
import { cancelJob } from '@uprez/domain/jobs/delete-job';
import { rotateWebhookSecret } from '@uprez/domain/webhooks/change-webhook';
import { getWebhook } from '@uprez/domain/webhooks/get-webhook';
import { registerJobWebhook } from '@uprez/domain/webhooks/require-webhooks';
import { deliverJob } from '@uprez/testing/deliver-job';
import { makeNewJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { waitUntil } from '@uprez/testing/wait-until';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { openWebhookFixtures } from './support/webhook-fixtures.ts';
import { attempt, makeDue, makeEndpoint, readDeliveries, readEndpoint, readMails } from './support/webhook-world.ts';

const { ctx, receiver, sender, send } = openWebhookFixtures({ gone: (response) => response.writeHead(410).end() });

/** Claims jobs until this one. */
async function claim(jobId: string) {
  for (;;) {
    const claimed = await claimNextJob(ctx, { workerId: 'test', leaseS: 300 });
    if (!claimed) throw new Error(`the job ${jobId} is not to be claimed`);
    if (claimed.job.id === jobId) return claimed.job;
  }
}

describe('the webhook URL of a single job', () => {
  it('receives the completed event, signed with the secret of job webhooks', async () => {
    const owner = await makeUser(ctx.db, 'api_pro');
    const url = 'https://single.images.example/job?token=a';
    await registerJobWebhook(sender, { actor: owner, url, param: 'webhook_url' });
    const { secret } = await rotateWebhookSecret(sender, { actor: owner, id: 'jobs', overlapHours: 0 });
    const { job } = await createJob(ctx, { ...(await makeNewJob(ctx, owner)), webhookUrl: url });
    await deliverJob(ctx, await claim(job.id));
    send();
    const call = await waitUntil(() => receiver.callsOf('single')[0]);
    expect(call.path).toBe('/job?token=a');
    const event = v1EventSchema.parse(new Webhook(secret).verify(call.body, call.headers));
    expect(event).toMatchObject({ type: 'job.completed', data: { id: job.id, status: 'completed', batch_id: null } });
  });

  it('stays active after a response of 410', async () => {
    const owner = await makeUser(ctx.db, 'api_pro');
    for (const name of ['gone', 'alive']) {
      const url = `https://${name}.images.example/`;
      await registerJobWebhook(sender, { actor: owner, url, param: 'webhook_url' });
      const { job } = await createJob(ctx, { ...(await makeNewJob(ctx, owner)), webhookUrl: url });
      await ctx.db.transaction().execute((tx) => cancelJob(tx, job));
    }
    send();
    const call = await waitUntil(() => receiver.callsOf('alive')[0]);
    expect(JSON.parse(call.body)).toMatchObject({ type: 'job.cancelled' });
    const endpoint = await getWebhook(sender, { actor: owner, id: 'jobs' });
    const deliveries = await waitUntil(async () => {
      const rows = await readDeliveries(sender, endpoint);
      return rows.every(({ status }) => status !== 'pending') && rows;
    });
    expect(deliveries.map(({ status, error }) => [status, error])).toEqual([
      ['failed', 'gone'],
      ['delivered', null],
    ]);
    expect(endpoint).toMatchObject({ kind: 'jobs', isActive: true });
  });
});

describe('a sandbox job named webhook-failure', () => {
  it('fails the first attempt as simulated, and is delivered with the next one', async () => {
    const { owner, endpoint } = await makeEndpoint(sender, 'trying', { sandbox: true, tier: 'api_basic' });
    const key = { id: '', isSandbox: true };
    const { accountId } = owner;
    const input = await makeNewJob(ctx, owner);
    const { job } = await createJob(ctx, { ...input, actor: owner, filename: 'webhook-failure.png' });
    await ctx.db.updateTable('jobs').set({ kind: 'sandbox' }).where('id', '=', job.id).execute();
    await deliverJob(ctx, await claim(job.id));
    const { events } = await listEvents(ctx, { actor: { ...owner, key } });
    expect(events).toMatchObject([{ type: 'job.completed', isSandbox: true, accountId }]);
    expect((await listEvents(ctx, { actor: owner })).events).toEqual([]);
    await attempt(sender, endpoint);
    expect(receiver.callsOf('trying')).toEqual([]);
    expect(await readDeliveries(sender, endpoint)).toMatchObject([{ status: 'pending', error: 'simulated' }]);
    await makeDue(sender, endpoint);
    await attempt(sender, endpoint);
    expect(receiver.callsOf('trying')).toHaveLength(1);
    expect(await readMails(sender, owner)).toEqual([]);
    expect(await readEndpoint(sender, endpoint)).toMatchObject({ failingSince: null });
  });
});
