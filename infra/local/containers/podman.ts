import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Output = { code: number; output: string };
export type Program = (args: readonly string[], options?: { cwd?: string }) => Promise<Output>;

/** Returns buildah and podman with storage of their own in a folder, so that stand-ins don't replace images of this machine. */
export function openPodman(folder: string): { buildah: Program; podman: Program } {
  mkdirSync(folder, { recursive: true });
  const [storage, settings] = [join(folder, 'storage.conf'), join(folder, 'containers.conf')];
  const roots = `graphroot = "${join(folder, 'storage')}"\nrunroot = "${join(folder, 'run')}"`;
  writeFileSync(storage, `[storage]\ndriver = "overlay"\n${roots}\n`);
  // crun doesn't run on hybrid cgroups. The defaults of limits may be above what this machine allows.
  const limits = 'default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]';
  const engine = 'runtime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"';
  const network = `network_backend = "netavark"\nnetwork_config_dir = "${join(folder, 'networks')}"`;
  writeFileSync(settings, `[containers]\n${limits}\n[engine]\n${engine}\n[network]\n${network}\n`);
  // Health checks are run by the test. Podman would start timers of systemd.
  const env = { CONTAINERS_STORAGE_CONF: storage, CONTAINERS_CONF: settings, DISABLE_HC_SYSTEMD: 'true' };
  const podman = openProgram('podman', env);
  return {
    buildah: openProgram('buildah', env),
    // Warnings would be part of the output.
    podman: (args, options) => podman(['--log-level=error', ...args], options),
  };
}

/** Returns a function that runs a program, and returns its exit code and output. */
export const openProgram =
  (command: string, env: Record<string, string> = {}): Program =>
  (args, { cwd } = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
      const chunks: Buffer[] = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString().trim() }));
    });

/** Runs a program and returns its output. Throws when it fails. */
export async function must(
  program: Program,
  args: readonly string[],
  options?: Parameters<Program>[1],
): Promise<string> {
  const { code, output } = await program(args, options);
  if (code !== 0) throw new Error(`${args.slice(0, 3).join(' ')} ended with code ${code}:\n${output.slice(-3000)}`);
  return output;
}
