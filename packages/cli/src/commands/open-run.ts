import { Uprez } from '@uprez/sdk-node';
import type { CliContext } from '../config.ts';
import { findCredentials } from '../credentials.ts';
import { openOutput } from '../files/open-output.ts';
import type { Output } from '../files/output.ts';
import { findResult, possibleExtensions, rejectExisting } from '../files/place-result.ts';
import type { Common, RunOptions } from '../parse-arguments.ts';
import { findLocalEngine, localFormat, processLocally } from '../processing/process-locally.ts';
import { processWithApi } from '../processing/process-with-api.ts';
import type { ProcessItem, Runner } from '../processing/run-items.ts';
import { chooseReporter } from '../report/choose-reporter.ts';

type Engine = { client: Uprez } | { program: string };

/** Opens a client with the API key of the user. Throws CliError without one. */
export async function openClient({ env }: CliContext, { url, sandbox }: Common) {
  const credentials = await findCredentials(env, url);
  return { client: new Uprez({ ...credentials, sandbox, maxRetries: 5 }), ...credentials };
}

/** Returns everything that affects the results. */
export const settingsOf = (options: RunOptions, target: object): object => ({
  fields: Object.fromEntries(Object.entries(options.fields).sort()),
  local: options.local,
  ...target,
});

/** Opens the API client or the local engine. `settings`: everything that affects the results. */
export async function openEngine(
  context: CliContext,
  common: Common,
  options: RunOptions,
): Promise<{ engine: Engine; settings: object }> {
  if (options.local)
    return { engine: { program: await findLocalEngine(context.env.path) }, settings: settingsOf(options, {}) };
  const { client, baseUrl } = await openClient(context, common);
  return { engine: { client }, settings: settingsOf(options, { baseUrl, sandbox: common.sandbox }) };
}

export async function openRun(
  engine: Engine,
  { common, options, ...context }: CliContext & { common: Common; options: RunOptions },
): Promise<{ results: Output; runner: Runner }> {
  const { signal, env } = context;
  const results = await openOutput(options.out, env.stateDir);
  const { fields, force, concurrency } = options;
  const extensions = possibleExtensions('program' in engine ? localFormat(fields) : fields.format);
  const processItem: ProcessItem = async (item, onProgress) => {
    const done = force
      ? undefined
      : ((await findResult(results, item)) ?? (await rejectExisting(results, item, extensions)));
    if (done) return done;
    const shared = { results, fields, force, signal };
    if ('program' in engine) return processLocally({ ...shared, ...engine }, item);
    return processWithApi({ ...shared, ...engine }, item, onProgress);
  };
  const reporter = chooseReporter(context, common, options.out);
  return { results, runner: { processItem, reporter, concurrency, signal } };
}
