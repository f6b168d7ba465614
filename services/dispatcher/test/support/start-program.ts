import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '@uprez/local-stack/find-free-port';
import { pollUntil } from '@uprez/local-stack/poll-until';
import { inheritedEnv } from '@uprez/testing/config';

/** `config`: the file that `--config.file` names. `args`: further ones. */
type Options = { command: string; config: string; args: string[] };

/** Starts a server of the Prometheus project on a free port, in a folder of its own, and waits until it is ready. */
export async function startProgram({ command, config, args }: Options) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), `uprez-test-${command}-`));
  await fs.writeFile(path.join(folder, 'config.yml'), config);
  const address = `127.0.0.1:${await findFreePort()}`;
  const child = spawn(command, ['--config.file=config.yml', `--web.listen-address=${address}`, ...args], {
    cwd: folder,
    env: inheritedEnv,
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  await pollUntil(async () => (await fetch(`http://${address}/-/ready`).catch(() => undefined))?.ok || undefined, {
    timeoutMs: 60_000,
    waitingFor: `for ${command}`,
  });
  return {
    address,
    close: async () => {
      child.kill('SIGKILL');
      await exited;
      await fs.rm(folder, { recursive: true, force: true });
    },
  };
}
