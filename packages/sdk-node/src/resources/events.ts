import type { Settings } from '../config.ts';
import type { EventList, EventQuery, UprezEvent } from '../generated/types.ts';
import { requestJson } from '../http/send.ts';

type Abortable = { signal?: AbortSignal };

/** The event feed of the last 30 days. Use it to catch up on missed webhooks. */
export class Events {
  readonly #settings: Settings;
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Returns a page of events, oldest first. */
  list(query: EventQuery = {}, { signal }: Abortable = {}): Promise<EventList> {
    return requestJson(this.#settings, 'v1ListEvents', { query, signal });
  }

  /** Iterates over all events. To continue later, pass the ID of the last event as `after`. */
  async *all(query: EventQuery = {}, options: Abortable = {}): AsyncGenerator<UprezEvent> {
    let after = query.after;
    for (;;) {
      const page = await this.list({ ...query, ...(after && { after }) }, options);
      yield* page.data;
      if (!page.next_cursor) return;
      after = page.next_cursor;
    }
  }
}
