import http from 'node:http';
import { limits } from '@uprez/contracts/policy/limits';
import { makeImage } from '@uprez/testing/make-image';
import type { Attack, Target } from '../support/attack.ts';
import { addressOf, call, repeatFor, uploadForm } from '../support/calls.ts';
import type { Account } from '../support/sign-up.ts';

const [accountAddress, groupAddress] = [addressOf(2, 0), addressOf(2, 1)];
const tries = 30;
const jobs = 5;

/** Opens an event stream, which stays open as long as this process runs. Returns the status of the response. */
function openStream(url: string, { cookie }: Account, from: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, accept: 'text/event-stream' };
    const request = http.get(`${url}/api/events`, { headers, localAddress: from, agent: false }, (response) => {
      response.resume().on('error', () => {});
      resolve(response.statusCode ?? 0);
    });
    request.once('error', reject);
  });
}

async function countOpened(url: string, accounts: readonly Account[], from: string): Promise<number> {
  const opened = accounts.flatMap((account) => Array.from({ length: tries }, () => openStream(url, account, from)));
  return (await Promise.all(opened)).filter((status) => status === 200).length;
}

/** Event streams far above the limits of an account and of an address, while jobs of the account change. */
async function flood({ url, accounts, seconds, input }: Target) {
  const [first, ...others] = accounts;
  if (!first) throw new Error('the attack needs accounts');
  const ofAccount = await countOpened(url, [first], accountAddress);
  const ofAddress = await countOpened(url, others, groupAddress);
  for (let at = 0; at < jobs; at += 1) {
    const image = Buffer.concat([Buffer.from(input.image ?? '', 'base64'), Buffer.from(`stream ${at}`)]);
    await call({ url, from: accountAddress, ...uploadForm(first.cookie, image) });
  }
  let refused = 0;
  await repeatFor({ seconds, senders: 10 }, async () => {
    if ((await openStream(url, first, accountAddress)) === 429) refused += 1;
  });
  return { ofAccount, ofAddress, refused };
}

export const eventStreams: Attack = {
  name: 'event-streams',
  seconds: 6,
  prepare: async () => {
    const image = await makeImage({ width: 64, height: 64, format: 'jpeg' });
    return { image: image.toString('base64') };
  },
  run: flood,
  check: ({ facts }) => ({
    [`an account has ${limits.accountStreams} streams`]: facts.ofAccount === limits.accountStreams,
    [`an address has ${limits.addressStreams} streams`]: facts.ofAddress === limits.addressStreams,
    'more streams are refused': (facts.refused ?? 0) > 0,
  }),
};
