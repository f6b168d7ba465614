import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);
const command = require('exiftool-vendored.pl') as string;
const run = promisify(execFile);

/** Tags of a file by group and name, such as `XMP-dc:Title`, with their values as texts. */
export type Tags = Record<string, string>;

async function inFolder<T>(use: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'uprez-exiftool-test-'));
  try {
    return await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Reads the tags of files with ExifTool, without those about the file itself. Unknown tags are included. */
export const readTags = (files: readonly Buffer[]): Promise<Tags[]> =>
  inFolder(async (dir) => {
    const paths = files.map((_, i) => join(dir, String(i)));
    await Promise.all(files.map((file, i) => writeFile(paths[i] as string, file)));
    const options = ['-json', '-G1', '-a', '-u', '-U', '-charset', 'iptc=utf8'];
    const { stdout } = await run(command, [...options, ...paths], { maxBuffer: 64 * 1024 * 1024 });
    const found = JSON.parse(stdout) as Record<string, unknown>[];
    return found.map((tags) => {
      const own = Object.entries(tags).filter(([name]) => !/^(SourceFile|ExifTool:|System:|File:)/.test(name));
      return Object.fromEntries(
        own.map(([name, value]) => [name, Array.isArray(value) ? value.join('; ') : String(value)]),
      );
    });
  });

/** Returns a copy of a file into which ExifTool has written metadata. `blocks`: values by tag that are blocks of bytes. */
export const writeTags = (
  file: Buffer,
  args: readonly string[],
  blocks: Record<string, Buffer> = {},
): Promise<Buffer> =>
  inFolder(async (dir) => {
    const path = join(dir, 'file');
    await writeFile(path, file);
    const names = Object.keys(blocks);
    await Promise.all(names.map((name) => writeFile(join(dir, name), blocks[name] as Buffer)));
    const written = names.map((name) => `-${name}<=${join(dir, name)}`);
    await run(command, ['-overwrite_original', '-m', '-charset', 'iptc=utf8', ...args, ...written, path]);
    return readFile(path);
  });
