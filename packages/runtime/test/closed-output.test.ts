import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('a service exits after nobody reads its output any more', async () => {
  const module = fileURLToPath(new URL('fixtures/log-and-exit.mjs', import.meta.url));
  const child = spawn(process.execPath, [module], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(20_000) }).finally(() =>
    child.kill('SIGKILL'),
  );
  expect(code).toBe(0);
});
