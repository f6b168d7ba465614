import { cliFlags, recipeFlags } from './flags.ts';

const line = (flag: string, description: string) => `  ${flag.padEnd(24)} ${description}`;

export function makeUsage(): string {
  const recipe = [...recipeFlags].map(([flag, { description, allowed, kind }]) =>
    kind === 'flag'
      ? line(`    --${flag}`, description)
      : `${line(`    --${flag}`, description)}\n${line('', allowed)}`,
  );
  const own = Object.entries(cliFlags).map(([flag, { description, argument, short }]) =>
    line(`${short ? `-${short}, ` : '    '}--${flag}${argument ? ` ${argument}` : ''}`, description),
  );
  return `Usage: uprez IMAGE|FOLDER|GLOB... --out FOLDER [options]
       uprez watch FOLDER... --out FOLDER [options]
       uprez login | logout | account

Results keep the names of the images, including subfolders. To continue after an interruption, run the same command
again: completed images are skipped. Existing files are never overwritten without --force.

Image options:
${recipe.join('\n')}

Options:
${own.join('\n')}

The API key is read from UPREZ_API_KEY, or from the file that "uprez login" writes.

Exit codes:
  0    All images are done.
  1    Some images failed.
  2    The command line or the API key is invalid.
  3    Processing stopped early.
  130  Interrupted.
`;
}
