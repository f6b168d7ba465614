import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'uprez-audit-'));
const id = 'GHSA-aaaa-bbbb-cccc';
const dayMs = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

/** What the registry answers: advisories by package, or a status without any. */
let answer: { status: number; body: unknown } = { status: 200, body: {} };
const registry = http.createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  });
});

beforeAll(async () => new Promise<void>((resolve) => void registry.listen(0, '127.0.0.1', resolve)));
afterEach(() => {
  answer = { status: 200, body: {} };
});
afterAll(async () => {
  await new Promise((resolve) => registry.close(resolve));
  rmSync(folder, { recursive: true });
});

/** `qs` is a dependency of the product. */
const report = (severity: string) => ({
  status: 200,
  body: {
    qs: [
      { id: 1, url: `https://github.com/advisories/${id}`, title: 'A test', severity, vulnerable_versions: '<999.0.0' },
    ],
  },
});

type Outcome = { code: number; output: string };

/** Runs `npm run audit` with pnpm against the test registry. */
function audit(exceptions: unknown, ...args: string[]): Promise<Outcome> {
  const file = path.join(folder, 'accepted.json');
  writeFileSync(file, JSON.stringify(exceptions));
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  const env = { ...process.env, PNPM_CONFIG_REGISTRY: url };
  return new Promise((resolve) => {
    execFile(
      'node',
      ['infra/local/audit.mjs', '--accepted', file, ...args],
      { cwd: root, env },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

describe('npm run audit', { timeout: 60_000 }, () => {
  it('passes without advisories, and names exceptions that are not needed anymore', async () => {
    const { code, output } = await audit([{ id, reason: 'The product parses no such text.', expires: dayIn(30) }]);
    expect(output).toContain(`not reported anymore, remove the exception: ${id}`);
    expect(output).toContain('Audited: 0 advisories, 0 to fix.');
    expect(code).toBe(0);
  });

  it('fails on an advisory of a high severity', async () => {
    answer = report('high');
    const { code, output } = await audit([]);
    expect(output).toContain(`FAILED high ${id} in qs: A test`);
    expect(code).toBe(1);
  });

  it('only reports an advisory of a lower severity', async () => {
    answer = report('moderate');
    const { code, output } = await audit([]);
    expect(output).toContain(`not urgent: moderate ${id}`);
    expect(code).toBe(0);
  });

  it('accepts an advisory until its exception expires', async () => {
    answer = report('high');
    const reason = 'The product parses no such text.';
    expect((await audit([{ id, reason, expires: dayIn(0) }])).code).toBe(0);
    const expired = await audit([{ id, reason, expires: dayIn(-1) }]);
    expect(expired.output).toContain(`Its exception expired on ${dayIn(-1)}`);
    expect(expired.code).toBe(1);
  });

  it('reports all invalid exceptions', async () => {
    const { code, output } = await audit([
      { id: 'CVE-2026-1', reason: 'Not reachable here.', expires: dayIn(1) },
      { id, reason: '', expires: dayIn(1) },
      { id, reason: 'Not reachable here.', expires: '31.12.2026' },
      { id, reason: 'Not reachable here.', expires: dayIn(92) },
      { id, reason: 'Not reachable here.', expires: dayIn(1), until: dayIn(1) },
    ]);
    expect(output.match(/entry \d: /g)).toHaveLength(5);
    expect(output).toContain('at most 90 days ahead');
    expect(code).toBe(1);
  });

  it('says that a registry answers no audit, and fails then only if it is required', async () => {
    answer = { status: 405, body: {} };
    const { code, output } = await audit([]);
    expect(output).toContain('Not audited: the registry answers no audit.');
    expect(code).toBe(0);
    expect((await audit([], '--require')).code).toBe(1);
  });
});
