import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { inheritedEnv } from '../config.ts';

/** The versions of Node.js that published packages support, oldest first. */
export const nodeVersions = ['node20', 'node22', 'node24'] as const;
type NodeVersion = (typeof nodeVersions)[number];

/** PATH without `node_modules` folders, one of which contains the Node.js that runs the tests. */
const machinePath = (inheritedEnv.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

function probe(program: string): [string, string][] {
  const script = 'process.versions.node + "\\n" + process.execPath';
  const { status, stdout } = spawnSync(program, ['-p', script], { env: { PATH: machinePath }, encoding: 'utf8' });
  const [version = '', path = ''] = stdout?.split('\n') ?? [];
  return status === 0 ? [[`node${version.split('.')[0]}`, path]] : [];
}

/**
 * Node.js programs by version: the program of this process, and `node20`, `node22`, and `node` (any version) in PATH.
 */
const programs = new Map([process.execPath, 'node20', 'node22', 'node'].flatMap(probe));

/** Returns the path of a version of Node.js, or its name if this machine doesn't have it. */
export const nodeProgram = (version: NodeVersion): string => programs.get(version) ?? version;

/** The program that runs published packages in tests: the oldest supported Node.js version on this machine. */
export const oldestNode = nodeProgram(nodeVersions.find((version) => programs.has(version)) ?? 'node24');
