import { recipeFields } from '@uprez/sdk-node/facts';
import { CliError } from './cli-error.ts';

type Flag = { description: string; argument?: string; short?: string };

/** Flags that aren't image options. */
export const cliFlags: Record<string, Flag> = {
  out: { description: 'Output folder, created if missing, or s3://BUCKET/PREFIX', argument: 'FOLDER', short: 'o' },
  base: { description: 'Name results after their path below this folder', argument: 'FOLDER' },
  concurrency: { description: 'Number of images to process at once (default 4)', argument: 'N', short: 'c' },
  'dry-run': { description: 'Show sizes, times, and costs without processing any images', short: 'n' },
  force: { description: 'Overwrite existing files', short: 'f' },
  local: { description: 'Process images on this machine with uprez-image; writes PNG unless --format is given' },
  sandbox: { description: 'Use the sandbox: small results, nothing charged' },
  interval: { description: 'Seconds between checks of "uprez watch" (default 2)', argument: 'N' },
  'forward-to': { description: 'URL that "uprez listen" sends events to', argument: 'URL' },
  secret: {
    description: 'Signing secret of "uprez listen" (default: derived from the API key)',
    argument: 'SECRET',
  },
  json: { description: 'Print one line of JSON per image or event' },
  quiet: { description: 'Print errors only', short: 'q' },
  url: { description: 'URL of the Uprez service (default UPREZ_URL)', argument: 'URL' },
  help: { description: 'Show this help', short: 'h' },
  version: { description: 'Show the version' },
};

type ImageSize = { kind: string; allowed: string; description: string };
const fields: Record<string, ImageSize> = { scale: { ...recipeFields.scale_factor }, ...recipeFields };

export const kebabCase = (name: string): string => name.replaceAll('_', '-');

export const recipeFlags = new Map(
  Object.entries(fields)
    .filter(([name]) => name !== 'scale_factor')
    .map(([name, facts]) => [kebabCase(name), { name, ...facts }]),
);

/** The API knows the names of custom models. */
const customName = /^(custom:).+$/;

const isNumber = (text: string) => /^\d+(\.\d+)?$/.test(text);

/** Validates a flag's value and converts it to lowercase. Throws CliError if the value is invalid. */
export function checkValue(flag: string, text: string): string {
  const { kind, allowed } = recipeFlags.get(flag) ?? { kind: '', allowed: '' };
  const isValid =
    kind === 'name'
      ? [...allowed.split(', '), 'jpg', 'tif'].includes(text.toLowerCase().replace(customName, '$1NAME'))
      : kind === 'text' || kind === 'color' || kind === 'flag' || isNumber(text);
  if (!isValid) throw new CliError(`--${flag} must be ${kind === 'name' ? 'one of: ' : ''}${allowed}.`);
  return text.toLowerCase();
}

const line = (flag: string, description: string) => `  ${flag.padEnd(24)} ${description}`;

const isOnByDefault = (description: string) => description.includes('true by default');

export function makeUsage(): string {
  const recipe = [...recipeFlags].map(([flag, { description, allowed, kind }]) =>
    kind === 'flag'
      ? line(`    --${flag}${isOnByDefault(description) ? `, --no-${flag}` : ''}`, description)
      : `${line(`    --${flag}`, description)}\n${line('', allowed)}`,
  );
  const own = Object.entries(cliFlags).map(([flag, { description, argument, short }]) =>
    line(`${short ? `-${short}, ` : '    '}--${flag}${argument ? ` ${argument}` : ''}`, description),
  );
  return `Usage: uprez IMAGE|FOLDER|GLOB|S3_URL... --out FOLDER|S3_URL [options]
       uprez process FOLDER|S3_URL FOLDER|S3_URL [options]
       uprez watch FOLDER... --out FOLDER [options]
       uprez listen --forward-to URL [--sandbox]
       uprez login | logout | account

Results keep the names of the images, including subfolders. To continue after an interruption, run the same command
again: completed images are skipped. Existing files are never overwritten without --force.

Image options:
${recipe.join('\n')}

Options:
${own.join('\n')}

The API key is read from UPREZ_API_KEY, or from the file that "uprez login" writes.

Buckets are written as s3://BUCKET/PREFIX. Their credentials are read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or
from the profile in AWS_PROFILE. Set AWS_REGION, and AWS_ENDPOINT_URL_S3 if the service isn't Amazon S3.

Exit codes:
  0    All images are done.
  1    Some images failed.
  2    The command line or the API key is invalid.
  3    Processing stopped early.
  4    A bucket can't be used: its credentials are invalid, or it doesn't exist.
  130  Interrupted.
`;
}
