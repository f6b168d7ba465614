import { appendFile, readFile } from 'node:fs/promises';

/** What is known of an image that was worked on before. */
export type Entry = {
  /** Name of the call that sent it, until its job is known to have ended. */
  idempotencyKey?: string;
  jobId?: string;
  /** The result in the folder, and its size. */
  output?: string;
  bytes?: number;
};
/** One line: what happened to the image with this key. `forgotten`: what was known is of no use any more. */
type Line = { key: string; source?: string; forgotten?: true } & Entry;
export type Journal = { find: (key: string) => Entry; note: (line: Line) => Promise<void> };

/**
 * The memory of a folder of results: lines of JSON that are only ever added, so that a run that was killed at any moment
 * leaves a journal that the next one can read.
 */
export async function openJournal(file: string): Promise<Journal> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const entries = new Map<string, Entry>();
  for (const line of text.split('\n')) take(entries, line);
  // A line that was cut short must not swallow the next one.
  let gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return {
    find: (key) => entries.get(key) ?? {},
    note: async (line) => {
      const json = JSON.stringify(line);
      take(entries, json);
      const written = `${gap}${json}\n`;
      gap = '';
      await appendFile(file, written);
    },
  };
}

function take(entries: Map<string, Entry>, text: string): void {
  const line = parse(text);
  if (!line) return;
  const { key, source: _, forgotten, ...entry } = line;
  entries.set(key, forgotten ? entry : { ...entries.get(key), ...entry });
}

function parse(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Line;
    return typeof line?.key === 'string' ? line : undefined;
  } catch {
    return undefined;
  }
}
