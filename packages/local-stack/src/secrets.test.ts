import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSecrets } from './secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'uprez-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('generates different secrets once, readable by the owner only', () => {
  const file = join(folder, 'data/secrets.json');
  const secrets = readSecrets(file);
  expect(new Set(Object.values(secrets)).size).toBe(8);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readSecrets(file)).toEqual(secrets);
});

it('adds a missing secret and keeps the others', () => {
  const file = join(folder, 'secrets.json');
  const { urlSecret, ...rest } = readSecrets(file);
  writeFileSync(file, JSON.stringify(rest));
  const completed = readSecrets(file);
  expect(completed).toMatchObject(rest);
  expect(completed.urlSecret).not.toBe(urlSecret);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(completed);
});

it('throws on a damaged file and keeps it', () => {
  const file = join(folder, 'secrets.json');
  for (const content of ['{"postgresPassword":', '{"postgresPassword":"short"}']) {
    writeFileSync(file, content);
    expect(() => readSecrets(file)).toThrow(file);
    expect(readFileSync(file, 'utf8')).toBe(content);
  }
});
