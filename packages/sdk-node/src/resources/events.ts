import type { Settings } from '../config.ts';
import type { EventList, EventQuery, UprezEvent } from '../generated/types.ts';
import { ask } from '../http/send.ts';

type Abortable = { signal?: AbortSignal };

/** What happened, in its order, for 30 days: the way to hear of everything even where a webhook got lost. */
export class Events {
  readonly #settings: Settings;
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** One page, the oldest first. */
  list(query: EventQuery = {}, { signal }: Abortable = {}): Promise<EventList> {
    return ask(this.#settings, 'v1ListEvents', { query, signal });
  }

  /** All there are as of now. Keep the id of the last one and pass it as `after` the next time. */
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
