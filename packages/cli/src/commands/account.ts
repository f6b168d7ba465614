import { exitCodes } from '../exit-codes.ts';
import type { Common } from '../read-arguments.ts';
import { formatCount } from '../report/format.ts';
import { makeTable } from '../report/table.ts';
import { findStop } from '../work/stop-error.ts';
import type { World } from '../world.ts';
import { openClient } from './open-engine.ts';

/** Tell the plan of the key and what is left of it. */
export async function tellAccount(world: World, common: Common): Promise<number> {
  const { client } = await openClient(world, common);
  const account = await client.account({ signal: world.signal }).catch((error: unknown) => {
    throw findStop(error) ?? error;
  });
  if (common.json) world.out(`${JSON.stringify(account)}\n`);
  else {
    const rows = account.quota.map(({ meter, used, left, resets_at }) => [
      ...[meter, formatCount(used), formatCount(left)],
      resets_at.slice(0, 10),
    ]);
    world.out(`Plan: ${account.plan.name}\n${makeTable([['Meter', 'Used', 'Left', 'Resets'], ...rows])}\n`);
  }
  return exitCodes.ok;
}
