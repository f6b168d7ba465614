import { Uprez } from '@uprez/sdk-node';
import type { CliContext } from '../config.ts';
import { findCredentials } from '../credentials.ts';
import type { Common, RunOptions } from '../parse-arguments.ts';
import { type Engine, settingsOf } from '../processing/create-processor.ts';
import { findLocalEngine } from '../processing/process-locally.ts';

/** Opens a client with the API key of the user. Throws CliError without one. */
export async function openClient(
  { env }: CliContext,
  { url, sandbox }: Common,
): Promise<{ client: Uprez; baseUrl: string }> {
  const credentials = await findCredentials(env, url);
  return { client: new Uprez({ ...credentials, sandbox, maxRetries: 5 }), baseUrl: credentials.baseUrl };
}

/** Opens a client. `settings`: everything that affects the results. */
export async function openService(
  context: CliContext,
  common: Common,
  options: RunOptions,
): Promise<{ client: Uprez; settings: object }> {
  const { client, baseUrl } = await openClient(context, common);
  return { client, settings: settingsOf(options, { baseUrl, sandbox: common.sandbox }) };
}

/** Opens the API client or the local engine. `settings`: everything that affects the results. */
export async function openEngine(
  context: CliContext,
  common: Common,
  options: RunOptions,
): Promise<{ engine: Engine; settings: object }> {
  if (options.local)
    return { engine: { program: await findLocalEngine(context.env.path) }, settings: settingsOf(options, {}) };
  const { client, settings } = await openService(context, common, options);
  return { engine: { client }, settings };
}
