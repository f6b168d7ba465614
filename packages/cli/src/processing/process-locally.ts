import { spawn } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileExtensions } from '@uprez/sdk-node/facts';
import { CliError, exitCodes } from '../cli-error.ts';
import { readImageSize } from '../files/find-images.ts';
import type { Item } from '../files/plan-items.ts';
import { useSource } from '../files/use-source.ts';
import { kebabCase } from '../flags.ts';
import type { Outcome, Processing } from './run-items.ts';

type Format = keyof typeof fileExtensions;

const command = 'uprez-image';
/** Exit code of uprez-image if the model isn't installed. */
const modelMissing = 2;
const aliases: Record<string, Format> = { jpg: 'jpeg', tif: 'tiff' };

/** Finds uprez-image on the PATH. Throws CliError if it isn't installed. */
export async function findLocalEngine(path: string): Promise<string> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const program = join(folder, command);
    const isMissing = await access(program, constants.X_OK).catch(() => true);
    if (!isMissing) return program;
  }
  throw new CliError(
    `--local requires ${command}, which is not on your PATH. Omit --local to use the service.`,
    exitCodes.stopped,
  );
}

/** Returns the output format. The default is PNG, which is lossless. */
export const localFormat = ({ format = 'png' }: Record<string, string>): Format =>
  aliases[format] ?? (format as Format);

export async function processLocally(
  { program, results, fields, force, signal }: Processing & { program: string },
  item: Item,
): Promise<Outcome> {
  const extension = fileExtensions[localFormat(fields)];
  const part = join(results.parts, `${item.key}.${extension}`);
  const flags = Object.entries(fields).flatMap(([name, value]) => toFlag(kebabCase(name), value));
  const { code, stderr } = await useSource(item, { results, signal }, (source) =>
    run(program, { args: [source, part, ...flags], signal }),
  );
  if (code === modelMissing) throw new CliError(stderr, exitCodes.stopped);
  if (code !== 0)
    return { kind: 'failed', code: 'local_failed', message: stderr || `${command} exited with code ${code}.` };
  const { size: bytes } = await stat(part);
  const { width, height } = await readImageSize(part);
  const output = `${item.stem}.${extension}`;
  // Record the output before moving it, so a later run recognizes the file as its own.
  await results.journal.append({ key: item.key, output });
  await results.place(part, { output, key: item.key, force, signal });
  await results.journal.append({ key: item.key, bytes });
  return { kind: 'done', output, width, height, bytes, charged: 0, cached: false, notes: [] };
}

function run(program: string, { args, signal }: { args: string[]; signal: AbortSignal }) {
  return new Promise<{ code: number; stderr: string }>((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], signal });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr = `${stderr}${chunk}`.slice(-2_000);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, stderr: stderr.trim() }));
  });
}

/** Flags have no value: `--no-` turns one off that is on by default. */
const toFlag = (flag: string, value: string): string[] =>
  ({ true: [`--${flag}`], false: [`--no-${flag}`] })[value] ?? [`--${flag}`, value];
