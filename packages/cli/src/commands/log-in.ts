import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ApiError, Uprez } from '@uprez/sdk-node';
import { CliError, exitCodes, toFatalError } from '../cli-error.ts';
import type { CliContext } from '../config.ts';
import { requireUrl, storeCredentials } from '../credentials.ts';
import type { Common } from '../parse-arguments.ts';
import { formatCount, formatTable } from '../report/format.ts';
import { openClient } from './open-run.ts';

/** Reads an API key from stdin, without echoing it on a terminal. Checks the key and stores it. */
export async function logIn(context: CliContext, { url }: Common): Promise<number> {
  const baseUrl = requireUrl(url ?? context.env.baseUrl);
  const apiKey = await readKey(context);
  if (!apiKey) throw new CliError('No API key entered. Run "uprez login" again.');
  const account = await new Uprez({ apiKey, baseUrl }).account().catch((error: unknown) => {
    // A key without the `read` scope can't read the account, but is valid.
    if (error instanceof ApiError && error.code === 'wrong_scope') return undefined;
    throw toFatalError(error) ?? error;
  });
  await storeCredentials(context.env.configFile, { apiKey, baseUrl });
  context.err(`Stored the API key${account ? ` "${account.key.name}"` : ''} in ${context.env.configFile}.\n`);
  return exitCodes.ok;
}

export async function logOut(context: CliContext): Promise<number> {
  await rm(context.env.configFile, { force: true });
  context.err('Deleted the stored API key. To revoke the key, delete it in the dashboard.\n');
  return exitCodes.ok;
}

async function readKey({ input, err, signal }: CliContext): Promise<string> {
  if (!input.isTTY) return (await text(input)).trim();
  err('API key: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input, output: silent, terminal: true });
  try {
    return (await prompt.question('', { signal })).trim();
  } finally {
    prompt.close();
    err('\n');
  }
}

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
