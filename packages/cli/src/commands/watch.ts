import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { findImages } from '../files/find-images.ts';
import { openFolder } from '../files/open-folder.ts';
import { type Item, planItems } from '../files/plan-items.ts';
import type { Common, Work } from '../read-arguments.ts';
import { makeMaker } from '../work/make-item.ts';
import { type Running, runItems } from '../work/run-items.ts';
import type { World } from '../world.ts';
import { chooseReporter } from './choose-reporter.ts';
import { openEngine } from './open-engine.ts';

/**
 * Look into folders again and again, and make what is new: a file that did not change from one look to the next. What
 * failed is tried again when its file changes. Ends when it is interrupted.
 */
export async function watchFolders(
  world: World,
  common: Common,
  { work, intervalS }: { work: Work; intervalS: number },
): Promise<number> {
  const { signal } = world;
  const { engine, settings } = await openEngine(world, common, work);
  const folder = await openFolder(work.out);
  const make = makeMaker({ engine, folder, work, signal });
  const reporter = chooseReporter(world, common, work);
  const { concurrency } = work;
  const settled = new Set<string>();
  let before = new Set<string>();
  try {
    while (!signal.aborted) {
      const items = planItems(await findImages(work.inputs, work.out), { settings, journal: folder.journal });
      const due = items.filter(({ key }) => before.has(key) && !settled.has(key));
      const wasStopped =
        due.length > 0 && (await runUnlessStopped(due, { make, reporter, concurrency, signal }, world));
      if (!wasStopped) for (const { key } of due) settled.add(key);
      before = keysOf(items);
      const looks = wasStopped ? looksAfterStop : 1;
      await sleep(looks * intervalS * 1_000, undefined, { signal }).catch(() => undefined);
    }
    return exitCodes.interrupted;
  } finally {
    await folder.close();
  }
}

/** When the service cannot be reached or the plan is used up, it is asked more rarely. */
const looksAfterStop = 15;

async function runUnlessStopped(items: readonly Item[], running: Running, { err }: World): Promise<boolean> {
  try {
    await runItems(items, running);
    return false;
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== exitCodes.stopped) throw error;
    err(`${error.message} Trying again later.\n`);
    return true;
  }
}

const keysOf = (items: readonly Item[]) => new Set(items.map(({ key }) => key));
