import { spawnSync } from 'node:child_process';
import { inheritedEnv, isEveryToolRequired } from '../config.ts';
import { nodeProgram } from './node-programs.ts';

const probes = {
  node: ['node', ['--version']],
  node20: [nodeProgram('node20'), ['--version']],
  node22: [nodeProgram('node22'), ['--version']],
  node24: [nodeProgram('node24'), ['--version']],
  python: ['python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']],
  // Uses Debian's Python, which has these packages. PATH may list another Python first.
  pythonBuild: ['/usr/bin/python3', ['-c', 'import setuptools, build, pip, venv, wheel']],
  deno: ['deno', ['--version']],
  bun: ['bun', ['--version']],
  composer: ['composer', ['--version']],
  php: ['php', ['-r', 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") ? 0 : 1);']],
  go: ['go', ['version']],
  curl: ['curl', ['--version']],
  prometheus: ['prometheus', ['--version']],
  promtool: ['promtool', ['--version']],
  alertmanager: ['prometheus-alertmanager', ['--version']],
  amtool: ['amtool', ['--version']],
} as const satisfies Record<string, readonly [string, readonly string[]]>;
type Program = keyof typeof probes;
export type Toolchain = Extract<Program, 'node' | 'python' | 'php' | 'go' | 'curl'>;

function whyMissing(name: Program): string | undefined {
  const [command, args] = probes[name];
  const { status, error, stderr } = spawnSync(command, args, { env: inheritedEnv, encoding: 'utf8', timeout: 20_000 });
  if (status === 0) return undefined;
  return `${name}: "${command}" ${error ? error.message : `is not as needed ${stderr}`}`.trim();
}

/** Whether to skip tests because their program is missing. Throws instead if CI or REQUIRE_TOOLCHAINS is set. */
export function isLeftOut(name: Program): boolean {
  const reason = whyMissing(name);
  if (reason === undefined) return false;
  if (isEveryToolRequired) throw new Error(`CI or REQUIRE_TOOLCHAINS is set, but ${reason}`);
  console.warn(`left out: the tests of ${reason}`);
  return true;
}
