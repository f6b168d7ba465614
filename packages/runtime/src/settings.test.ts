import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settings } from './settings.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const rows = [...readme.matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \|/gm)].map(([, name = '', value = '']) => ({
  name,
  value,
}));

test('the README lists exactly the settings there are, in their order', () => {
  expect(rows.map((row) => row.name)).toEqual(Object.keys(settings));
});

test('the README gives the defaults that hold', () => {
  for (const { name, value } of rows) {
    const code = /^`([^`]+)`$/.exec(value)?.[1];
    const schema = settings[name as keyof typeof settings];
    const parsed = schema.safeParse(undefined);
    if (!code || !parsed.success || parsed.data === undefined || typeof parsed.data === 'object') continue;
    if (name !== 'DATA_DIR') expect(String(parsed.data), name).toBe(code);
  }
});
