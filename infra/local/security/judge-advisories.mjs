import { endOf } from './read-exceptions.mjs';

const failing = ['high', 'critical'];

/**
 * Compares advisories with the exceptions. `failed`: those that must be fixed, as lines. `notes`: what else to know.
 * @param {{ github_advisory_id: string, severity: string, module_name: string, title: string, patched_versions?: string }[]} advisories
 * @param {{ id: string, reason: string, expires: string }[]} exceptions
 * @param {number} now milliseconds
 */
export function judgeAdvisories(advisories, exceptions, now) {
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
