import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ApiError, Uprez } from '@uprez/sdk-node';
import { CliError } from '../cli-error.ts';
import { forgetCredentials, storeCredentials } from '../credentials.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Common } from '../read-arguments.ts';
import { findStop } from '../work/stop-error.ts';
import type { World } from '../world.ts';

/** Take a key from the terminal (unseen) or from standard input, try it, and keep it. */
export async function logIn(world: World, { url }: Common): Promise<number> {
  const baseUrl = url ?? world.env.baseUrl;
  if (!baseUrl || !URL.canParse(baseUrl)) throw new CliError('Where is the service? Add --url https://...');
  const apiKey = await readKey(world);
  if (!apiKey) throw new CliError('No key was entered.');
  const account = await new Uprez({ apiKey, baseUrl }).account().catch((error: unknown) => {
    // A key that may not read is a good key all the same.
    if (error instanceof ApiError && error.code === 'wrong_scope') return undefined;
    throw findStop(error) ?? error;
  });
  await storeCredentials(world.env.configFile, { apiKey, baseUrl });
  world.err(`The key${account ? ` "${account.key.name}"` : ''} is kept in ${world.env.configFile}.\n`);
  return exitCodes.ok;
}

export async function logOut(world: World): Promise<number> {
  await forgetCredentials(world.env.configFile);
  world.err('The key is forgotten here. It still works elsewhere: delete it on the page "API Keys".\n');
  return exitCodes.ok;
}

async function readKey({ input, err, signal }: World): Promise<string> {
  if (!input.isTTY) return (await text(input)).trim();
  err('API key: ');
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input, output: unseen, terminal: true });
  try {
    return (await asking.question('', { signal })).trim();
  } finally {
    asking.close();
    err('\n');
  }
}
