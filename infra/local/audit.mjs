// npm run audit: compares the lockfile with the advisories of the npm registry. Fails on those of the severity high and
// critical, except accepted ones that have not expired. A registry without advisories is reported, and fails only with --require.
//   --accepted FILE   the exceptions; infra/security/accepted-advisories.json by default
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { capture, main, rootDir } from './run.mjs';
import { judgeAdvisories } from './security/judge-advisories.mjs';
import { readExceptions } from './security/read-exceptions.mjs';

const { values } = parseArgs({
  options: {
    accepted: { type: 'string', default: join(rootDir, 'infra/security/accepted-advisories.json') },
    require: { type: 'boolean', default: false },
  },
});

/** How pnpm reports a registry that it can't ask: a status such as 405, or no response. */
const unavailable = /ERR_PNPM_AUDIT_(BAD_RESPONSE|ENDPOINT_NOT_EXISTS)/;
/** Five retries, the default, take a minute without a network. */
const retries = { PNPM_CONFIG_FETCH_RETRIES: '1' };

/** Returns the advisories, or undefined if the registry has none to offer. Throws other errors of pnpm. */
async function readAdvisories() {
  const { code, output } = await capture('pnpm', ['audit', '--json'], retries);
  const start = output.indexOf('{');
  const report = start === -1 ? undefined : parse(output.slice(start, output.lastIndexOf('}') + 1));
  if (report?.advisories) return Object.values(report.advisories);
  if (code !== 0 && unavailable.test(output)) {
    console.log(`Not audited: the registry answers no audit.\n${output.trim()}`);
    return undefined;
  }
  throw new Error(`pnpm audit failed:\n${output}`);
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

await main(async () => {
  const exceptions = readExceptions(values.accepted, Date.now());
  const advisories = await readAdvisories();
  if (!advisories) return values.require ? 1 : 0;
  const { failed, notes } = judgeAdvisories(advisories, exceptions, Date.now());
  for (const note of notes) console.log(note);
  for (const line of failed) console.error(`FAILED ${line}`);
  console.log(`Audited: ${advisories.length} advisories, ${failed.length} to fix.`);
  return failed.length > 0 ? 1 : 0;
});
