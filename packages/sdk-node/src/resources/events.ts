import type { Abortable, Settings } from '../config.ts';
import type { EventList, EventQuery, UprezEvent } from '../generated/types.ts';
import { requestJson } from '../http/send.ts';
import { listPages } from './jobs.ts';

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
  all(query: EventQuery = {}, options: Abortable = {}): AsyncGenerator<UprezEvent> {
    return listPages((after) => this.list({ ...query, ...(after && { after }) }, options));
  }
}
