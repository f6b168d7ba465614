/** Moment of a date and a time of day in a time zone. */
export type LocalMoment = {
  at: Date;
  /**
   * `skipped`: clocks move forward past this time, so `at` is later. `repeated`: the time occurs twice, and `at` is the
   * first occurrence.
   */
  note: 'skipped' | 'repeated' | undefined;
};

const dayMs = 86_400_000;

export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the date and time in a time zone as if they were in UTC, in milliseconds. */
function wallTime(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/**
 * Returns the moment of a date (`2027-03-14`) and a time of day (`02:30`) in a time zone, or undefined if either is
 * missing. A time that clocks skip when they move forward is shifted by the length of the gap. For a time that occurs
 * twice, the first occurrence is used.
 */
export function resolveLocalTime(date: string, time: string, timeZone: string): LocalMoment | undefined {
  const wall = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wall)) return undefined;
  // UTC offsets before and after a clock change. Clock changes are at least a day apart.
  const [before = 0, after = 0] = [wall - dayMs, wall + dayMs].map((at) => wallTime(at, timeZone) - at);
  const matches = [...new Set([wall - before, wall - after])].filter((at) => wallTime(at, timeZone) === wall);
  const [first] = matches.sort((one, other) => one - other);
  if (first === undefined) return { at: new Date(wall - before), note: 'skipped' };
  return { at: new Date(first), note: matches.length > 1 ? 'repeated' : undefined };
}

/** Returns the date and time of day of a moment in a time zone, as values of form fields. */
export function toLocalFields(at: Date, timeZone: string): { date: string; time: string } {
  const [date = '', time = ''] = new Date(wallTime(at.getTime(), timeZone)).toISOString().split('T');
  return { date, time: time.slice(0, 5) };
}
