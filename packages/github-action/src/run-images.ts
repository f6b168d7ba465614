import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { runCli } from '@uprez/cli/run-cli';
import { ActionError } from './action-error.ts';
import type { Inputs, Runner } from './config.ts';

/** An image and what became of it. `units`: credits. `reason`: why it failed, or would be rejected. */
export type Row = {
  source: string;
  size?: { width: number; height: number };
  width?: number;
  height?: number;
  bytes?: number | null;
  units: number;
  output?: string;
  reason?: string;
};
type Line = Omit<Row, 'units'> & { event: string; units?: number; charged?: number; message?: string };

/** `stopped`: the reason why not all images were processed. */
export type Outcome = { rows: Row[]; stopped?: string };

type Call = { inputs: Inputs; runner: Runner; isDryRun: boolean };

/** Processes or estimates images with the command line, in this process. */
export async function runImages(files: readonly string[], { inputs, runner, isDryRun }: Call): Promise<Outcome> {
  const { apiKey, baseUrl, out, flags, concurrency, isSandbox } = inputs;
  // A changed image replaces its earlier result.
  const own = [
    '--json',
    '--base=.',
    `--out=${out}`,
    `--concurrency=${concurrency}`,
    isDryRun ? '--dry-run' : '--force',
  ];
  // File names come from the commit. They must not be read as flags.
  const named = files.map((file) => `./${file}`);
  const args = ['process', ...own, ...(isSandbox ? ['--sandbox'] : []), ...flags, '--', ...named];
  const root = await realpath('.');
  const written = { out: '', err: '' };
  const code = await runCli(args, {
    env: { apiKey, baseUrl, configFile: '', stateDir: join(runner.tempDir, 'uprez'), path: runner.path },
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    terminal: undefined,
    input: process.stdin,
    signal: new AbortController().signal,
  });
  const lines = written.out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  const rows = lines.filter(({ source }) => source).map((line) => toRow(line, root));
  // Codes above 1 mean that not all images were tried.
  const stopped = code > 1 ? written.err.trim() : undefined;
  if (stopped && rows.length === 0) throw new ActionError(stopped);
  return { rows, ...(stopped && { stopped }) };
}

function toRow({ source, units, charged, message, reason = message, ...facts }: Line, root: string): Row {
  const { size, width, height, bytes, output } = facts;
  return {
    source: relative(root, source),
    ...{ ...(size && { size }), ...(width && { width }), ...(height && { height }), ...(bytes && { bytes }) },
    units: charged ?? units ?? 0,
    ...(output && { output }),
    ...(reason && { reason }),
  };
}
