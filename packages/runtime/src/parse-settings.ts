import * as z from 'zod';
import { type SettingName, settings } from './settings.ts';

/** Thrown with one line for each wrong or missing setting, all of them at once. Values are not repeated: some are secret. */
export class SettingsError extends Error {
  constructor(lines: readonly string[]) {
    super(`Wrong settings:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

type Picked<Names extends SettingName> = { [Name in Names]: z.output<(typeof settings)[Name]> };

/** Read the named settings from an environment; an empty text counts as absent. Throws SettingsError. */
export function parseSettings<Names extends SettingName>(
  names: readonly Names[],
  env: NodeJS.ProcessEnv,
): Picked<Names> {
  const shape = Object.fromEntries(names.map((name) => [name, settings[name]]));
  const given = Object.fromEntries(names.map((name) => [name, env[name] === '' ? undefined : env[name]]));
  const parsed = z.object(shape).safeParse(given);
  if (!parsed.success)
    throw new SettingsError(
      parsed.error.issues.map((issue) => {
        const name = String(issue.path[0]);
        return given[name] === undefined ? `${name} is missing` : `${name}: must be ${describe(issue)}`;
      }),
    );
  return parsed.data as Picked<Names>;
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `one of: ${issue.values.join(', ')}`;
  if (issue.code === 'too_small') return `at least ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`;
  if (issue.code === 'too_big') return `at most ${issue.maximum}`;
  if (issue.code === 'invalid_format' && issue.format === 'email') return 'an email address';
  return issue.message;
}
