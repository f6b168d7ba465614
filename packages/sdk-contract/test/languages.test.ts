import fs from 'node:fs/promises';
import path from 'node:path';
import type { errorCodes } from '@uprez/contracts/errors/error-codes';
import { v1ParameterNames } from '@uprez/contracts/v1/fields';
import { isLeftOut } from '@uprez/testing/programs/toolchains';
import { describe, expect, it } from 'vitest';
import { runIn, type Sdk, sdkDir } from './support/sdks.ts';

/** Parses every file as Python 3.9, the oldest supported version. */
const parsePython = `
import ast, pathlib
for path in pathlib.Path(".").rglob("*.py"):
    ast.parse(path.read_text(), str(path), feature_version=(3, 9))
`;

const checks = [
  ['python', 'parses', ['python3', '-c', parsePython]],
  ['python', 'passes its tests', ['python3', '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests']],
  ['php', 'passes its tests', ['php', 'tests/run.php']],
  ['go', 'passes go vet', ['go', 'vet', './...']],
  ['go', 'passes its tests', ['go', 'test', './...']],
] as const satisfies [Sdk, string, string[]][];

/** Lists the source files of a package. */
async function listSources(sdk: Sdk, ending: string): Promise<string[]> {
  const entries = await fs.readdir(sdkDir(sdk), { recursive: true });
  return entries.filter((name) => name.endsWith(ending) && !name.includes('node_modules'));
}

describe('packages in other languages', () => {
  for (const [sdk, title, command] of checks)
    it.skipIf(isLeftOut(sdk))(`${sdk}: ${title}`, () => runIn(sdk, command), 300_000);

  it.skipIf(isLeftOut('php'))('php: every file parses', async () => {
    const files = await listSources('php', '.php');
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) await runIn('php', ['php', '-l', file]);
  });

  it.skipIf(isLeftOut('go'))('go: is formatted', async () => {
    expect(await runIn('go', ['gofmt', '-l', '.'])).toBe('');
  });
});

describe('each SDK', () => {
  const versions = {
    node: { file: 'package.json', pattern: /"version": "(.*)"/ },
    python: { file: 'src/uprez/_version.py', pattern: /__version__ = "(.*)"/ },
    php: { file: 'src/Transport.php', pattern: /VERSION = '(.*)'/ },
    go: { file: 'client.go', pattern: /Version = "(.*)"/ },
  };
  it.each(Object.entries(versions))(
    '%s describes its version at the top of its changelog',
    async (sdk, { file, pattern }) => {
      const read = (name: string) => fs.readFile(path.join(sdkDir(sdk as Sdk), name), 'utf8');
      const [, version] = pattern.exec(await read(file)) ?? [];
      expect((await read('CHANGELOG.md')).match(/^## (.*)$/m)?.[1]).toBe(version);
      expect((await read('README.md')).split('\n').length).toBeLessThan(120);
    },
  );

  /** How each language declares an option. */
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const options = {
    python: { file: 'src/uprez/options.py', spell: (name: string) => `    ${name}: ` },
    php: { file: 'src/Options.php', spell: (name: string) => `$${camel(name)} = null` },
    go: { file: 'options.go', spell: (name: string) => `\`json:"${name},omitempty"\`` },
  } as const;
  const excluded = ['async', 'image_url', 'filename', 'dry_run'];
  const names = v1ParameterNames
    .filter((name) => !excluded.includes(name))
    .map((name) => name.replace('scale_factor', 'scale'));

  it.each(Object.entries(options))('%s has every option of the API', async (sdk, { file, spell }) => {
    const text = await fs.readFile(path.join(sdkDir(sdk as Sdk), file), 'utf8');
    for (const name of names) expect(text).toContain(spell(name));
  });

  it.each(['python/src/uprez/errors.py', 'php/src/Exception/JobFailedException.php', 'go/errors.go'])(
    'sdk-%s uses the error codes of the API for jobs without a result',
    async (file) => {
      const text = await fs.readFile(path.join(sdkDir('node'), '..', `sdk-${file}`), 'utf8');
      for (const code of [
        'cancelled',
        'result_expired',
        'internal',
        'job_not_finished',
      ] satisfies (keyof typeof errorCodes)[])
        expect(text).toMatch(new RegExp(`["']${code}["']`));
    },
  );
});
