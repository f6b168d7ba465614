import { exitCodes } from '../cli-error.ts';
import type { CliContext } from '../config.ts';
import { findImages } from '../files/find-images.ts';
import { journalOf, openJournal } from '../files/open-output-folder.ts';
import { findResult } from '../files/place-result.ts';
import { planItems } from '../files/plan-items.ts';
import type { Common, RunOptions } from '../parse-arguments.ts';
import { type EstimateRow, estimateAll } from '../processing/estimate-images.ts';
import { runItems } from '../processing/run-items.ts';
import { formatDryRun, sumCredits } from '../report/format-dry-run.ts';
import { openClient, openEngine, openRun, settingsOf } from './open-run.ts';

/** Processes all images that aren't done yet. Returns the exit code. */
export async function processImages(context: CliContext, common: Common, options: RunOptions): Promise<number> {
  const { engine, settings } = await openEngine(context, common, options);
  const found = await findImages(options.inputs, options.out);
  if (found.length === 0) context.err('No images found.\n');
  const { folder, runner } = await openRun(engine, { ...context, common, options });
  try {
    return await runItems(planItems(found, { settings, journal: folder.journal }), runner);
  } finally {
    await folder.close();
  }
}

export async function estimateImages(context: CliContext, common: Common, options: RunOptions): Promise<number> {
  const { client, baseUrl } = await openClient(context, common);
  const settings = settingsOf(options, { baseUrl, sandbox: common.sandbox });
  const { fields, concurrency, force, out: path } = options;
  const journal = await openJournal(journalOf(path));
  const items = planItems(await findImages(options.inputs, path), { settings, journal });
  const done = await Promise.all(items.map((item) => (force ? undefined : findResult({ path, journal }, item))));
  const due = items.filter((_, index) => !done[index]);
  const rows: EstimateRow[] = [
    ...items.flatMap((item, index) => (done[index] ? [{ path: item.path, output: done[index].output }] : [])),
    ...(await estimateAll(due, { client, fields, concurrency, signal: context.signal })),
  ];
  if (common.json) for (const line of jsonRows(rows)) context.out(`${JSON.stringify(line)}\n`);
  // Keys without the scope `read` can't get the account.
  else context.out(`${formatDryRun(rows, await client.account().catch(() => undefined))}\n`);
  return rows.some(({ reason }) => reason) ? exitCodes.someFailed : exitCodes.ok;
}

const jsonRows = (rows: readonly EstimateRow[]): object[] => [
  ...rows.map(({ path: source, estimate, ...facts }) => ({ event: 'estimate', source, ...facts, ...estimate })),
  { event: 'summary', images: rows.length, units: Object.fromEntries(sumCredits(rows)) },
];
