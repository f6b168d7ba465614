import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { limits } from '@uprez/contracts/policy/limits';
import { bombs, heavy } from '../../../../../packages/imaging/test/hostile/bombs.ts';
import { makePngFile } from '../../../../../packages/imaging/test/hostile/png-file.ts';
import { structureBombs } from '../../../../../packages/imaging/test/hostile/structure-bombs.ts';
import type { Attack, Found, Target, World } from '../support/attack.ts';
import { addressOf, call, repeatFor, uploadForm } from '../support/calls.ts';
import { spare } from '../support/judge.ts';

const pngEndBytes = 12;
const withoutEnd = (png: Buffer) => png.subarray(0, -pngEndBytes);

/** SVG isn't accepted, so its entities are never expanded. */
const svg = {
  name: 'SVG with entities',
  make: () =>
    Buffer.from('<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"/>'),
};

/** Files that are accepted, and fail or take long in the worker. Each is sent once. */
const accepted = [
  { name: 'PNG without its end', make: () => withoutEnd(makePngFile({ width: 73, height: 31 })) },
  ...heavy.filter(({ name }) => name.startsWith('PNG of 100') || name.startsWith('BMP')),
];

async function writeBombs(): Promise<Record<string, string>> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-test-bombs-'));
  for (const [group, files] of Object.entries({ refused: [...bombs, ...structureBombs, svg], accepted })) {
    await fs.mkdir(path.join(folder, group));
    for (const [at, { make }] of files.entries())
      await fs.writeFile(path.join(folder, group, String(at)), await make());
  }
  return { folder };
}

const readFolder = async (folder: string) =>
  Promise.all((await fs.readdir(folder)).sort().map((name) => fs.readFile(path.join(folder, name))));

/** Uploads of files that are made to exhaust parsers and decoders, in all formats, by several accounts. */
async function bomb({ url, accounts, seconds, input }: Target) {
  const refused = await readFolder(path.join(input.folder ?? '', 'refused'));
  const once = await readFolder(path.join(input.folder ?? '', 'accepted'));
  const files = [...once, ...refused];
  const facts = { sent: 0, refused: 0, accepted: 0, limited: 0, errors: 0 };
  const failures = await repeatFor({ seconds, senders: accounts.length }, async (at) => {
    const index = (at - 1) % files.length;
    const data = files[index];
    if (!data || (at > files.length && index < once.length)) return;
    const cookie = accounts[at % accounts.length]?.cookie ?? '';
    const form = uploadForm(cookie, data, { scaleFactor: '1', format: 'png' });
    const { status } = await call({ url, from: addressOf(8, at), ...form });
    facts.sent += 1;
    if (status === 202) facts.accepted += 1;
    else if (status === 429) facts.limited += 1;
    else if (status >= 400 && status < 500) facts.refused += 1;
    else facts.errors += 1;
  });
  return { ...facts, failures };
}

/** The jobs of all attackers since the start of the suite. */
const listJobs = ({ product, accounts }: World) =>
  product.db
    .selectFrom('jobs')
    .select(['status', 'failures', 'errorCode'])
    .where(
      'accountId',
      'in',
      accounts.map(({ id }) => id),
    )
    .execute();

async function check({ world, facts, peak }: Found) {
  const jobs = await listJobs(world);
  return {
    'files were sent': (facts.sent ?? 0) > bombs.length,
    'no call fails with an internal error': facts.errors === 0 && facts.failures === 0,
    'a job that fails in the same way is tried twice at most': jobs.every(
      ({ failures }) => failures <= limits.equalFailures,
    ),
    'the memory of the engine is limited':
      (peak.worker?.childrenMb ?? 0) < limits.childMemoryBytes / 2 ** 20 + spare.memoryMb,
  };
}

export const parserBombs: Attack = {
  name: 'parser-bombs',
  seconds: 12,
  prepare: writeBombs,
  run: bomb,
  check,
  restore: async (_world, { folder = '' }) => fs.rm(folder, { recursive: true, force: true }),
  runningJobMs: 30_000,
};
