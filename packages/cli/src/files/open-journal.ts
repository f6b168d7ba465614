import { appendFile, readFile } from 'node:fs/promises';

/** The state of an image from earlier runs. */
export type Entry = {
  /** Key of the request that sent the image. */
  idempotencyKey?: string;
  jobId?: string;
  /** File name and size of the result. */
  output?: string;
  bytes?: number;
};
/** A line of the journal. `forgotten`: discard the earlier state of the image. */
type Line = { key: string; source?: string; forgotten?: true } & Entry;
export type Journal = { find: (key: string) => Entry; append: (line: Line) => Promise<void> };

/**
 * Opens the journal of an output folder. The journal is append-only, so the next run can read it even if this run is
 * killed while writing.
 */
export async function openJournal(file: string): Promise<Journal> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const entries = new Map<string, Entry>();
  for (const line of text.split('\n')) apply(entries, line);
  // Start a new line after an incomplete one.
  let gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return {
    find: (key) => entries.get(key) ?? {},
    append: async (line) => {
      const json = JSON.stringify(line);
      apply(entries, json);
      const written = `${gap}${json}\n`;
      gap = '';
      await appendFile(file, written);
    },
  };
}

function apply(entries: Map<string, Entry>, text: string): void {
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
