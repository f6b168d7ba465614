import { readFileSync } from 'node:fs';

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
export function readExceptions(file, now) {
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
export const endOf = (day) => (/^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) + dayMs : Number.NaN);
