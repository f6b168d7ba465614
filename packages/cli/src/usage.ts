import { ownFlags } from './own-flags.ts';
import { recipeFlags } from './recipe-flags.ts';

const line = (flag: string, says: string) => `  ${flag.padEnd(24)} ${says}`;

/** What `uprez --help` prints: the parameters are those of the API, from the same table. */
export function makeUsage(): string {
  const recipe = [...recipeFlags].map(([flag, { description, allowed, kind }]) =>
    line(`    --${flag}`, kind === 'flag' ? description : `${description}: ${allowed}`),
  );
  const own = Object.entries(ownFlags).map(([flag, { says, takes, short }]) =>
    line(`${short ? `-${short}, ` : '    '}--${flag}${takes ? ` ${takes}` : ''}`, says),
  );
  return `Usage: uprez IMAGE|FOLDER|GLOB... --out FOLDER [options]
       uprez watch FOLDER... --out FOLDER [options]
       uprez login | logout | account

Results are named as the images are, folders included. What was done is remembered in FOLDER/.uprez: the same
command once more does only what is left. Nothing that exists is replaced without --force.

What is made:
${recipe.join('\n')}

How:
${own.join('\n')}

The key is read from UPREZ_API_KEY, else from what "uprez login" stored.
Ends with 0: all done, 1: some images failed, 2: wrong command line or no key, 3: the work could not go on,
130: interrupted.
`;
}
