import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, exitCodes } from '../cli-error.ts';
import type { CliContext } from '../config.ts';
import { findImages } from '../files/find-images.ts';
import { type Item, planItems } from '../files/plan-items.ts';
import type { Common, RunOptions } from '../parse-arguments.ts';
import { type RunItemsOptions, runItems } from '../processing/run-items.ts';
import { openEngine, openRun } from './open-run.ts';

/** Processes all images that aren't done yet. Returns the exit code. */
export async function processImages(context: CliContext, common: Common, options: RunOptions): Promise<number> {
  const { engine, settings } = await openEngine(context, common, options);
  const found = await findImages(options);
  if (found.length === 0) context.err('No images found.\n');
  const { results, runner } = await openRun(engine, { ...context, common, options });
  try {
    return await runItems(planItems(found, { settings, journal: results.journal }), runner);
  } finally {
    await results.close();
  }
}

/**
 * Processes new images in folders until interrupted. Waits until a file is unchanged between two checks, because it may
 * be incomplete. Retries a failed image when its file changes. Returns the exit code.
 */
export async function watchFolders(
  context: CliContext,
  common: Common,
  { options, intervalS }: { options: RunOptions; intervalS: number },
): Promise<number> {
  const { signal } = context;
  const { engine, settings } = await openEngine(context, common, options);
  const { results, runner } = await openRun(engine, { ...context, common, options });
  const settled = new Set<string>();
  let before = new Set<string>();
  try {
    while (!signal.aborted) {
      const items = planItems(await findImages(options), { settings, journal: results.journal });
      const due = items.filter(({ key }) => before.has(key) && !settled.has(key));
      const wasStopped = due.length > 0 && (await runUnlessStopped(due, runner, context));
      if (!wasStopped) for (const { key } of due) settled.add(key);
      before = new Set(items.map(({ key }) => key));
      const intervals = wasStopped ? backoffIntervals : 1;
      await sleep(intervals * intervalS * 1_000, undefined, { signal }).catch(() => undefined);
    }
    return exitCodes.interrupted;
  } finally {
    await results.close();
  }
}

/** How many intervals to wait after an error that stops processing, such as a used-up quota. */
const backoffIntervals = 15;

async function runUnlessStopped(
  items: readonly Item[],
  runner: RunItemsOptions,
  { err }: CliContext,
): Promise<boolean> {
  try {
    await runItems(items, runner);
    return false;
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== exitCodes.stopped) throw error;
    err(`${error.message} Retrying later.\n`);
    return true;
  }
}
