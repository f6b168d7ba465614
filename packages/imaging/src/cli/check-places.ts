import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { CliJob } from './read-arguments.ts';

const refuse = (detail: string): never => {
  throw new AppError('invalid_parameter', { detail });
};

/** Resolve the links of a path's folder. */
async function resolveFile(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}

/** Check that all output files can be written and are different. Throws AppError `invalid_parameter`. */
export async function checkPlaces({ input, output, report, receipt }: CliJob): Promise<void> {
  const written = [output, report, receipt].filter((path) => path !== undefined);
  for (const path of written) {
    const facts = await stat(path).catch(() => undefined);
    if (facts && !facts.isFile()) refuse(`"${path}" is no file that could be replaced.`);
    const folder = dirname(path);
    await access(folder, constants.W_OK).catch(() => refuse(`Nothing can be written to the folder of "${path}".`));
  }
  const files = await Promise.all([input, ...written].map(resolveFile));
  const twice = files.findIndex((file, i) => files.indexOf(file) !== i);
  if (twice >= 0) refuse(`"${[input, ...written][twice]}" is named twice; each file needs a name of its own.`);
}
