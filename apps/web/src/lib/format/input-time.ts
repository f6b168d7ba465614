/** The value of a `datetime-local` input: local time without a zone. */
export function inputTime(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The time of a `datetime-local` input, or the text itself if it isn't one. */
export function parseInputTime(text: string): string {
  const ms = new Date(text).getTime();
  return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}
