import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settings } from './settings.ts';

const table = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
const rows = [...table.matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \|/gm)].map(([, name = '', value = '']) => ({
  name,
  value,
}));

describe('docs/settings.md', () => {
  it('lists every setting, in the order of their definition', () => {
    expect(rows.map((row) => row.name)).toEqual(Object.keys(settings));
  });

  it('states the default of every setting', () => {
    for (const { name, value } of rows) {
      const code = /^`([^`]+)`$/.exec(value)?.[1];
      const schema = settings[name as keyof typeof settings];
      const parsed = schema.safeParse(undefined);
      if (!code || !parsed.success || parsed.data === undefined || typeof parsed.data === 'object') continue;
      if (name !== 'DATA_DIR') expect(String(parsed.data), name).toBe(code);
    }
  });
});
