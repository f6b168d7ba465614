/** Formats a time in milliseconds as the value of a `datetime-local` input: local time without a time zone. */
export function formatInputTime(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Converts the value of a `datetime-local` input to ISO format. Returns the string itself if it isn't a time. */
export function parseInputTime(text: string): string {
  const ms = new Date(text).getTime();
  return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}
