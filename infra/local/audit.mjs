// npm run audit: compares the lockfile with the advisories of the npm registry. Fails on those of the severity high and
// critical, except accepted ones that have not expired. A registry without advisories is reported, and fails only with --require.
//   --accepted FILE   the exceptions; infra/security/accepted-advisories.json by default
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { capture, main, rootDir } from './run.mjs';

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

/** An exception ends after at most so many days, so that it is looked at again. */
const mostDays = 90;
const dayMs = 86_400_000;
const idPattern = /^GHSA(-[0-9a-z]{4}){3}$/;

/**
 * Reads the accepted advisories: a list of `{ id, reason, expires }`. Throws with every invalid entry.
 * @param {string} file
 * @param {number} now milliseconds
 * @returns {{ id: string, reason: string, expires: string }[]}
 */
function readExceptions(file, now) {
  const entries = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(entries)) throw new Error(`${file} must contain a list.`);
  const problems = entries.flatMap((entry, index) => {
    const problem = findProblem(entry, now);
    return problem ? [`${file}, entry ${index + 1}: ${problem}`] : [];
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return entries;
}

function findProblem({ id, reason, expires, ...others }, now) {
  const [unknown] = Object.keys(others);
  if (unknown) return `unknown field "${unknown}". Use "id", "reason", and "expires".`;
  if (!idPattern.test(id)) return `"id" must be an advisory of GitHub, such as GHSA-aaaa-bbbb-cccc.`;
  if (typeof reason !== 'string' || reason.trim().length < 10)
    return '"reason" must say why the product is not affected.';
  const end = endOf(expires);
  if (Number.isNaN(end)) return '"expires" must be a day, such as 2026-12-31.';
  if (end > now + (mostDays + 1) * dayMs) return `"expires" must be at most ${mostDays} days ahead.`;
  return undefined;
}

/** The end of a day (UTC) in milliseconds, or NaN. */
const endOf = (day) => (/^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) + dayMs : Number.NaN);

const failing = ['high', 'critical'];

/**
 * Compares advisories with the exceptions. `failed`: those that must be fixed, as lines. `notes`: what else to know.
 * @param {{ github_advisory_id: string, severity: string, module_name: string, title: string, patched_versions?: string }[]} advisories
 * @param {{ id: string, reason: string, expires: string }[]} exceptions
 * @param {number} now milliseconds
 */
function judgeAdvisories(advisories, exceptions, now) {
  const byId = new Map(exceptions.map((exception) => [exception.id, exception]));
  const failed = [];
  const notes = [];
  for (const advisory of advisories) {
    const line = describe(advisory);
    const exception = byId.get(advisory.github_advisory_id);
    if (!failing.includes(advisory.severity)) notes.push(`not urgent: ${line}`);
    else if (!exception) failed.push(line);
    else if (endOf(exception.expires) <= now) failed.push(`${line}. Its exception expired on ${exception.expires}`);
    else notes.push(`accepted until ${exception.expires}: ${line}. ${exception.reason}`);
  }
  const reported = new Set(advisories.map((advisory) => advisory.github_advisory_id));
  for (const { id } of exceptions)
    if (!reported.has(id)) notes.push(`not reported anymore, remove the exception: ${id}`);
  return { failed, notes };
}

const describe = ({ github_advisory_id: id, severity, module_name: name, title, patched_versions: patched }) =>
  `${severity} ${id} in ${name}: ${title}${patched ? ` (fixed in ${patched})` : ''}`;

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
