import { spawn } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileExtensions } from '@uprez/sdk-node/facts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Folder } from '../files/open-folder.ts';
import { placeResult } from '../files/place-result.ts';
import type { Item } from '../files/plan-items.ts';
import { readImage } from '../files/read-image.ts';
import { kebabCase } from '../recipe-flags.ts';
import type { Outcome } from './outcome.ts';

export type LocalMaking = {
  program: string;
  folder: Folder;
  fields: Record<string, string>;
  force: boolean;
  signal: AbortSignal;
};
type Format = keyof typeof fileExtensions;

const command = 'uprez-image';
/** What that command ends with when the weights of a network are missing: so they are for every image. */
const weightsMissing = 2;
const aliases: Record<string, Format> = { jpg: 'jpeg', tif: 'tiff' };

/** The program that works on this machine. Throws CliError where it is not installed. */
export async function findProgram(path: string): Promise<string> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const program = join(folder, command);
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  throw new CliError(
    `--local needs the command ${command}, which is not on this machine's PATH. Leave out --local to use the service.`,
    exitCodes.stopped,
  );
}

/** A format that keeps everything, unless another was asked for. */
export const localFormat = ({ format = 'png' }: Record<string, string>): Format =>
  aliases[format] ?? (format as Format);

/** Make an image on this machine. */
export async function makeHere({ program, folder, fields, force, signal }: LocalMaking, item: Item): Promise<Outcome> {
  const ending = fileExtensions[localFormat(fields)];
  const part = join(folder.parts, `${item.key}.${ending}`);
  const flags = Object.entries(fields)
    .filter(([, value]) => value !== 'false')
    .flatMap(([name, value]) => (value === 'true' ? [`--${kebabCase(name)}`] : [`--${kebabCase(name)}`, value]));
  const { code, said } = await run(program, { args: [item.path, part, ...flags], signal });
  if (code === weightsMissing) throw new CliError(said, exitCodes.stopped);
  if (code !== 0) return { kind: 'failed', code: 'local_failed', message: said || `${command} ended with ${code}.` };
  const { size: bytes } = await stat(part);
  const { width, height } = await readImage(part);
  const output = `${item.stem}.${ending}`;
  // Noted first: a run that ends right after the file was placed must know it for its own.
  await folder.journal.note({ key: item.key, output });
  await placeResult(folder, part, { output, force });
  await folder.journal.note({ key: item.key, bytes });
  return { kind: 'done', output, width, height, bytes, charged: 0, cached: false, notes: [] };
}

function run(program: string, { args, signal }: { args: string[]; signal: AbortSignal }) {
  return new Promise<{ code: number; said: string }>((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], signal });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-2_000);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, said: said.trim() }));
  });
}
