import { exitCodes } from '../exit-codes.ts';
import { findImages } from '../files/find-images.ts';
import { openJournal } from '../files/journal.ts';
import { journalOf, openFolder } from '../files/open-folder.ts';
import { planItems } from '../files/plan-items.ts';
import type { Common, Work } from '../read-arguments.ts';
import { showDryRun, sumUnits } from '../report/show-dry-run.ts';
import { estimateAll, type Row } from '../work/dry-run.ts';
import { findDone } from '../work/find-done.ts';
import { makeMaker } from '../work/make-item.ts';
import { runItems } from '../work/run-items.ts';
import type { World } from '../world.ts';
import { chooseReporter } from './choose-reporter.ts';
import { openEngine, openService } from './open-engine.ts';

/** Make what is not made yet. Answers what the command ends with. */
export async function processImages(world: World, common: Common, work: Work): Promise<number> {
  const { engine, settings } = await openEngine(world, common, work);
  const found = await findImages(work.inputs, work.out);
  if (found.length === 0) world.err('There are no images there.\n');
  const folder = await openFolder(work.out);
  try {
    const items = planItems(found, { settings, journal: folder.journal });
    const { signal } = world;
    const make = makeMaker({ engine, folder, work, signal });
    const reporter = chooseReporter(world, common, work);
    const { exitCode } = await runItems(items, { make, reporter, concurrency: work.concurrency, signal });
    return exitCode;
  } finally {
    await folder.close();
  }
}

/** Tell what would be made. Answers what the command ends with. */
export async function tellImages(world: World, common: Common, work: Work): Promise<number> {
  const { client, settings } = await openService(world, common, work);
  const { fields, concurrency, force, out: path } = work;
  const journal = await openJournal(journalOf(path));
  const items = planItems(await findImages(work.inputs, path), { settings, journal });
  const done = await Promise.all(items.map((item) => (force ? undefined : findDone({ path, journal }, item))));
  const due = items.filter((_, index) => !done[index]);
  const rows: Row[] = [
    ...items.flatMap((item, index) => (done[index] ? [{ path: item.path, output: done[index].output }] : [])),
    ...(await estimateAll(due, { client, fields, concurrency, signal: world.signal })),
  ];
  if (common.json) for (const line of jsonRows(rows)) world.out(`${JSON.stringify(line)}\n`);
  // A key that may only make images may not read what is left.
  else world.out(`${showDryRun(rows, await client.account().catch(() => undefined))}\n`);
  return rows.some(({ reason }) => reason) ? exitCodes.someFailed : exitCodes.ok;
}

const jsonRows = (rows: readonly Row[]): object[] => [
  ...rows.map(({ path: source, estimate, ...facts }) => ({ event: 'estimate', source, ...facts, ...estimate })),
  { event: 'summary', images: rows.length, units: Object.fromEntries(sumUnits(rows)) },
];
