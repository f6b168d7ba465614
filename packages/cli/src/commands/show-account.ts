import { exitCodes } from '../cli-error.ts';
import type { CliContext } from '../config.ts';
import type { Common } from '../parse-arguments.ts';
import { toFatalError } from '../processing/to-fatal-error.ts';
import { formatCount, formatTable } from '../report/format.ts';
import { openClient } from './open-run.ts';

export async function showAccount(context: CliContext, common: Common): Promise<number> {
  const { client } = await openClient(context, common);
  const account = await client.account({ signal: context.signal }).catch((error: unknown) => {
    throw toFatalError(error) ?? error;
  });
  if (common.json) context.out(`${JSON.stringify(account)}\n`);
  else {
    const rows = account.quota.map(({ meter, used, left, resets_at }) => [
      ...[meter, formatCount(used), formatCount(left)],
      resets_at.slice(0, 10),
    ]);
    context.out(`Plan: ${account.plan.name}\n${formatTable([['Quota', 'Used', 'Left', 'Resets'], ...rows])}\n`);
  }
  return exitCodes.ok;
}
