import { everyScan, makeProgressiveJpeg } from '../../../../../packages/imaging/test/hostile/costly/jpeg.ts';
import type { Attack, Found, Target } from '../support/attack.ts';
import { addressOf, call, uploadForm } from '../support/calls.ts';

const senders = 6;
const side = 10_000;
/** As many scans as a JPEG can have, and as many as are accepted at its size. */
const scanCounts = [882, 100];

/** Accounts that send small files which take a decoder long: one that is refused, and one that is accepted. */
async function send({ url, accounts }: Target) {
  const files = scanCounts.map((most) =>
    makeProgressiveJpeg({ width: side, height: side, components: 1, scans: everyScan(1, most) }),
  );
  const facts = { refused: 0, accepted: 0, errors: 0 };
  const sendFile = async (at: number, file: Buffer) => {
    const form = uploadForm(accounts[at]?.cookie ?? '', file, { width: '64', format: 'jpeg' });
    const { status, text } = await call({ url, from: addressOf(10, at), ...form });
    if (status === 202) facts.accepted += 1;
    else if (status === 422 && text.includes('scans')) facts.refused += 1;
    else facts.errors += 1;
  };
  const calls = Array.from({ length: senders }, (_, at) => files.map((file) => sendFile(at, file))).flat();
  await Promise.all(calls);
  return facts;
}

/** What a job takes besides the work of its estimate: starting it, and other work on the machine. */
const spareSeconds = 5;
const mostOfEstimate = 3;
/** The estimate of one of the accepted files, about. */
const leastSeconds = 4;

async function check({ world, facts }: Found) {
  const { db } = world.product;
  const ids = world.accounts.slice(0, senders).map(({ id }) => id);
  const rows = db.selectFrom('jobs').select(['usedSeconds', 'estimatedSeconds']).where('accountId', 'in', ids);
  const jobs = await rows.where('sourceBytes', '>', 1_000_000).execute();
  const estimated = jobs.reduce((sum, { estimatedSeconds }) => sum + (estimatedSeconds ?? 0), 0);
  return {
    'files that no encoder writes are refused': facts.refused === senders && facts.errors === 0,
    'a job takes at most three times its estimate': jobs.every(
      ({ usedSeconds, estimatedSeconds }) => usedSeconds <= mostOfEstimate * (estimatedSeconds ?? 0) + spareSeconds,
    ),
    'the cost of decoding counts in the estimate': estimated > leastSeconds * jobs.length,
  };
}

export const decoderCost: Attack = {
  name: 'decoder-cost',
  seconds: 20,
  run: send,
  check,
  runningJobMs: 20_000,
};
