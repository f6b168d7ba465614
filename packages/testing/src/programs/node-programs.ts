import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { inheritedEnv } from '../config.ts';

/** The versions of Node.js that published packages support, oldest first. */
export const nodeVersions = ['node20', 'node22', 'node24'] as const;
type NodeVersion = (typeof nodeVersions)[number];

/** Without installed packages, one of which is the Node.js that runs the tests. */
const machinePath = (inheritedEnv.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

/** Returns the path of a program that is Node.js, by its version. */
function probe(program: string): [string, string][] {
  const script = 'process.versions.node + "\\n" + process.execPath';
  const { status, stdout } = spawnSync(program, ['-p', script], { env: { PATH: machinePath }, encoding: 'utf8' });
  const [version = '', path = ''] = stdout?.split('\n') ?? [];
  return status === 0 ? [[`node${version.split('.')[0]}`, path]] : [];
}

/** The program of this process, and those in PATH: `node` of any version, `node20`, and `node22`. */
const programs = new Map([process.execPath, 'node20', 'node22', 'node'].flatMap(probe));

/** Returns the path of a version of Node.js, or its name if this machine doesn't have it. */
export const nodeProgram = (version: NodeVersion): string => programs.get(version) ?? version;

/** What runs published packages in tests: the oldest supported version that this machine has. */
export const oldestNode = nodeProgram(nodeVersions.find((version) => programs.has(version)) ?? 'node24');
