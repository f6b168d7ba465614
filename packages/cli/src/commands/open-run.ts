import { join } from 'node:path';
import { Uprez } from '@uprez/sdk-node';
import type { CliContext } from '../config.ts';
import { findCredentials } from '../credentials.ts';
import { type OutputFolder, openOutputFolder } from '../files/open-output-folder.ts';
import type { Common, RunOptions } from '../parse-arguments.ts';
import { findResult, possibleExtensions, rejectExisting } from '../processing/find-result.ts';
import type { ProcessItem, Reporter } from '../processing/outcome.ts';
import { findLocalEngine, localFormat, processLocally } from '../processing/process-locally.ts';
import { processWithApi } from '../processing/process-with-api.ts';
import type { Runner } from '../processing/run-items.ts';
import { reportLines } from '../report/report-lines.ts';
import { withProgressBar } from '../report/with-progress-bar.ts';

type Engine = { client: Uprez } | { program: string };
type ProcessorOptions = { engine: Engine; folder: OutputFolder; options: RunOptions; signal: AbortSignal };

/** Creates the function that processes one image, or skips it if it is done. */
function createProcessor({ engine, folder, options, signal }: ProcessorOptions): ProcessItem {
  const { fields, force } = options;
  const extensions = possibleExtensions('program' in engine ? localFormat(fields) : fields.format);
  return async (item, onProgress) => {
    const done = force ? undefined : await findResult(folder, item);
    if (done) return done;
    if (!force) await rejectExisting(folder, item, extensions);
    const shared = { folder, fields, force, signal };
    if ('program' in engine) return processLocally({ ...shared, ...engine }, item);
    return processWithApi({ ...shared, ...engine }, item, onProgress);
  };
}

const reportJson = (out: (text: string) => void, folder: string): Reporter => {
  const write = (line: object) => out(`${JSON.stringify(line)}\n`);
  return {
    begin: () => undefined,
    progress: () => undefined,
    finish: ({ path: source }, { kind: event, ...facts }) =>
      write({ event, source, ...facts, ...('output' in facts && { output: join(folder, facts.output) }) }),
    end: (summary) => write({ event: 'summary', ...summary }),
  };
};

function chooseReporter(context: CliContext, { json, quiet }: Common, { out: folder }: RunOptions): Reporter {
  if (json) return reportJson(context.out, folder);
  const lines = reportLines(context, { folder, quiet });
  return context.terminal && !quiet ? withProgressBar(lines, context.terminal) : lines;
}

/** Opens a client with the API key of the user. Throws CliError without one. */
export async function openClient(
  { env }: CliContext,
  { url, sandbox }: Common,
): Promise<{ client: Uprez; baseUrl: string }> {
  const credentials = await findCredentials(env, url);
  return { client: new Uprez({ ...credentials, sandbox, maxRetries: 5 }), baseUrl: credentials.baseUrl };
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
): Promise<{ folder: OutputFolder; runner: Runner }> {
  const folder = await openOutputFolder(options.out);
  const { signal } = context;
  const processItem = createProcessor({ engine, folder, options, signal });
  const reporter = chooseReporter(context, common, options);
  return { folder, runner: { processItem, reporter, concurrency: options.concurrency, signal } };
}
