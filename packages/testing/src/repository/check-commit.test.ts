import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../../../infra/local/check-commit.mjs', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'uprez-commit-'));
afterAll(() => rmSync(folder, { recursive: true }));

function check(message: string) {
  const file = path.join(folder, 'COMMIT_EDITMSG');
  writeFileSync(file, message);
  const { status, stderr } = spawnSync('node', [script, file], { encoding: 'utf8' });
  return { status, stderr };
}

describe('the commit-message hook', () => {
  it.each([
    'feat(gateway): accept HEIC uploads\n',
    'fix!: reject empty files\n\nAn empty file has no header.\n# a comment of git\n',
    'Merge branch "main"\n',
    'Revert "feat: accept HEIC uploads"\n',
  ])('accepts %j', (message) => expect(check(message)).toEqual({ status: 0, stderr: '' }));

  it.each([
    ['a message without a type', 'Accept HEIC uploads', /Start with a type/],
    ['a type without a description', 'feat: ', /Start with a type/],
    ['a first line of 73 characters', `feat: ${'x'.repeat(67)}`, /has 73 characters\. Use at most 72/],
    ['a final period', 'feat: accept HEIC uploads.', /Remove the period/],
    ['a body without an empty line before it', 'feat: accept HEIC uploads\nSafari sends them.', /second line empty/],
  ])('rejects %s', (_name, message, reason) => {
    const { status, stderr } = check(message);
    expect(status).toBe(1);
    expect(stderr).toMatch(reason);
  });
});
