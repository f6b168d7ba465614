import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Call } from '../host.ts';
import { formatCount } from '../results/format.ts';
import { presentData } from '../results/present-data.ts';

/** Returns the plan, quotas, and API key. */
export async function getAccount({ client, signal }: Call): Promise<CallToolResult> {
  const account = await client.account({ signal });
  const quotas = account.quota.map(
    ({ meter, left, resets_at }) =>
      `${formatCount(left)} credits left (${meter}), which reset on ${resets_at.slice(0, 10)}.`,
  );
  return presentData([`Plan: ${account.plan.name}.`, ...quotas].join(' '), account);
}
