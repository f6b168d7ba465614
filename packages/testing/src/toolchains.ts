import { spawnSync } from 'node:child_process';
import { inheritedEnv, isEveryToolRequired } from './config.ts';

/** How each language's program is asked whether it can do what its SDK needs. */
const probes = {
  node: ['node', ['--version']],
  python: ['python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']],
  php: ['php', ['-r', 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") ? 0 : 1);']],
  go: ['go', ['version']],
  curl: ['curl', ['--version']],
} as const satisfies Record<string, readonly [string, readonly string[]]>;
export type Toolchain = keyof typeof probes;

/** Why the tests of a language cannot run on this machine; undefined: they can. */
function whyMissing(name: Toolchain): string | undefined {
  const [command, args] = probes[name];
  const { status, error, stderr } = spawnSync(command, args, { env: inheritedEnv, encoding: 'utf8', timeout: 20_000 });
  if (status === 0) return undefined;
  return `${name}: "${command}" ${error ? error.message : `is not as needed ${stderr}`}`.trim();
}

/**
 * Whether the tests of a language are left out here, because its program is missing. Throws instead where every program
 * must be there.
 */
export function isLeftOut(name: Toolchain): boolean {
  const reason = whyMissing(name);
  if (reason === undefined) return false;
  if (isEveryToolRequired) throw new Error(`CI or REQUIRE_TOOLCHAINS is set, but ${reason}`);
  console.warn(`left out: the tests of ${reason}`);
  return true;
}
