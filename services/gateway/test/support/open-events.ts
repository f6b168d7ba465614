import { jobSchema } from '@uprez/contracts/schemas/jobs/job';
import { waitUntil } from '@uprez/testing/wait-until';
import type * as z from 'zod';

export type JobEvent = { id: string; event: string; job: z.infer<typeof jobSchema> };

export type OpenEvents = {
  response: Response;
  events: JobEvent[];
  /** Returns whether the server has ended the stream. */
  ended: () => boolean;
  /** Waits for the first event that matches. */
  find: (fits: (event: JobEvent) => boolean) => Promise<JobEvent>;
  close: () => void;
};

function parseEvent(block: string): JobEvent | undefined {
  const lines = block.split('\n').filter((line) => !line.startsWith(':'));
  const fields = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const job = jobSchema.parse(JSON.parse(data));
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', job };
}

/** Opens the event stream of an account and collects its events, checked against the contract. */
export async function openEvents(
  { url, fetch }: { url: string; fetch: typeof globalThis.fetch },
  headers: Record<string, string> = {},
): Promise<OpenEvents> {
  const gone = new AbortController();
  const response = await fetch(`${url}/api/events`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: gone.signal,
  });
  const events: JobEvent[] = [];
  let ended = false;
  const read = async () => {
    let text = '';
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = `${text}${piece}`.split('\n\n');
      text = blocks.pop() ?? '';
      events.push(...blocks.flatMap((block) => parseEvent(block) ?? []));
    }
  };
  void read()
    .catch(() => {})
    .finally(() => {
      ended = true;
    });
  return {
    response,
    events,
    ended: () => ended,
    find: (fits) => waitUntil(() => events.find(fits), { what: 'an event' }),
    close: () => gone.abort(),
  };
}
