import { readFile } from 'node:fs/promises';
import { findVariable } from '../config.ts';

/**
 * The `//host/path/:_authToken=...` lines (and their like) of `.npmrc` files, later files first in rank; `${NAME}`
 * stands for a variable of the environment. Each is bound to its host: npm's client sends it nowhere else.
 * Files that cannot be read count as empty.
 */
export async function readNpmCredentials(files: (string | undefined)[]): Promise<Record<string, string>> {
  const texts = await Promise.all(files.map((file) => (file ? readFile(file, 'utf8').catch(() => '') : '')));
  const lines = texts.flatMap((text) => text.split(/\r?\n/));
  return Object.fromEntries(
    lines.flatMap((line) => {
      const match = /^\s*(\/\/[^=\s]+)\s*=\s*(.*?)\s*$/.exec(line);
      if (!match) return [];
      const [, key = '', value = ''] = match;
      return [[key, expandVariables(value.replace(/^(["'])(.*)\1$/, '$2'))]];
    }),
  );
}

const expandVariables = (value: string): string =>
  value.replace(/\$\{(\w+)\}/g, (whole, name: string) => findVariable(name) ?? whole);
