import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { settings } from '@uprez/runtime/settings';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = path.join(root, 'infra/systemd');
const units = readdirSync(folder);
const services = units.filter((unit) => unit.endsWith('.service'));
const read = (unit: string) => readFileSync(path.join(folder, unit), 'utf8');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const analyze = (...args: string[]) =>
  spawnSync('systemd-analyze', args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
  });

describe.skipIf(!hasSystemd)('systemd', () => {
  it('accepts all units', () => {
    const instances = units.map((unit) => `./${unit.replace('@.', '@1.')}`);
    const { status, stdout, stderr } = analyze('verify', ...instances);
    expect(stdout + stderr).toBe('');
    expect(status).toBe(0);
  });

  it.each(services)('rates the exposure of %s as low', (unit) => {
    const { status, stderr } = analyze('security', '--offline=true', '--no-pager', '--threshold=25', `./${unit}`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe.each(services)('%s', (unit) => {
  it('starts a service that exists', () => {
    const started = /^ExecStart=node (?:--\S+ )?(services\/\w+)\/dist\/(\w+)\.js$/m.exec(read(unit));
    expect(existsSync(path.join(root, started?.[1] ?? '', 'src', `${started?.[2]}.ts`))).toBe(true);
  });

  it('sets only variables that are settings', () => {
    const lines = [...read(unit).matchAll(/^Environment=(.+)$/gm)].flatMap(([, text = '']) => text.split(' '));
    const names = lines.map((line) => line.split('=')[0] ?? '');
    expect(names.filter((name) => !(name in settings))).toEqual([]);
    expect(names).toContain('NODE_ENV');
  });
});
