import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';

const retryMs = 50;

/** Follows jobs on event streams, and opens the next one when a stream ends. Adds IDs of completed jobs. Returns the number of streams. */
export async function followEvents(
  { url, fetchAs }: { url: string; fetchAs: typeof fetch },
  completed: Set<string>,
  stop: AbortSignal,
): Promise<number> {
  let last = '';
  let streams = 0;
  while (!stop.aborted) {
    const headers = { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) };
    const read = async () => {
      const response = await fetchAs(`${url}/api/events`, { headers, signal: stop });
      expect(response.status).toBe(200);
      streams += 1;
      let text = '';
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const blocks = `${text}${piece}`.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          last = /^id: (.*)$/m.exec(block)?.[1] ?? last;
          const data = /^data: (.*)$/m.exec(block)?.[1];
          const job = data ? (JSON.parse(data) as { id: string; status: string }) : undefined;
          if (job?.status === 'completed') completed.add(job.id);
        }
      }
    };
    // A stream ends with its gateway, or with the test.
    await read().catch(async (error: unknown) => {
      if (stop.aborted) return;
      if (!(error instanceof TypeError)) throw error;
      await delay(retryMs);
    });
  }
  return streams;
}
