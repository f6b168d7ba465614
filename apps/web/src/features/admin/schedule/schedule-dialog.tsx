import { type FormEvent, useState } from 'react';
import { formatDateTime } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { cancelLabel, Dialog } from '../../../ui/overlays/dialog.tsx';

/** The caller provides the title and the button labels. */
export const scheduleMessages = {
  date: 'Date',
  time: 'Time',
  zone: (zone: string) => `Time zone: ${zone}`,
  result: (local: string, utc: string) => `${local} (${utc} UTC)`,
  skipped: (time: string) => `Clocks move forward and skip this time. ${time} is used instead.`,
  repeated: 'Clocks move back, so this time occurs twice. The first one is used.',
  past: 'Choose a time in the future.',
  incomplete: 'Choose a date and a time.',
} as const;

type LocalMoment = {
  at: Date;
  /**
   * `skipped`: clocks move forward past this time, so `at` is later. `repeated`: the time occurs twice, and `at` is the
   * first occurrence.
   */
  note: 'skipped' | 'repeated' | undefined;
};

export const getBrowserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Converts a moment to the local date and time in a time zone, represented as a UTC timestamp in milliseconds. */
function toWallTime(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/**
 * Resolves a date (`2027-03-14`) and a time of day (`02:30`) in a time zone to a moment. Returns undefined if either is
 * missing. If clocks skip the time when they move forward, the result is later by the length of the gap. If the time
 * occurs twice, the result is the first occurrence.
 */
export function resolveLocalTime(date: string, time: string, timeZone: string): LocalMoment | undefined {
  const wall = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wall)) return undefined;
  // The UTC offsets one day earlier and one day later, which differ if clocks change in between. Clock changes are at
  // least a day apart.
  const [before = 0, after = 0] = [wall - dayMs, wall + dayMs].map((at) => toWallTime(at, timeZone) - at);
  const matches = [...new Set([wall - before, wall - after])].filter((at) => toWallTime(at, timeZone) === wall);
  const [first] = matches.sort((one, other) => one - other);
  if (first === undefined) return { at: new Date(wall - before), note: 'skipped' };
  return { at: new Date(first), note: matches.length > 1 ? 'repeated' : undefined };
}

/** Converts a moment to a date and a time of day in a time zone, as values for form fields. */
export function toLocalFields(at: Date, timeZone: string): { date: string; time: string } {
  const [date = '', time = ''] = new Date(toWallTime(at.getTime(), timeZone)).toISOString().split('T');
  return { date, time: time.slice(0, 5) };
}

const dayMs = 86_400_000;
const utcFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

function suggestMoment(): Date {
  const at = new Date(Date.now() + dayMs);
  at.setMinutes(0, 0, 0);
  return at;
}

function Moment({ moment }: { moment: LocalMoment | undefined }) {
  if (!moment) return null;
  const { at, note } = moment;
  const local = formatDateTime(at);
  return (
    <div className="grid gap-3">
      <p role="status" className="text-sm tabular-nums">
        {scheduleMessages.result(local, utcFormat.format(at))}
      </p>
      {note && (
        <Notice kind="warning">
          {note === 'skipped' ? scheduleMessages.skipped(local) : scheduleMessages.repeated}
        </Notice>
      )}
    </div>
  );
}

type ScheduleDialogProps = {
  names: { title: string; text: string; submit: string; pending: string };
  /** Previously chosen time, or null. */
  chosenAt: string | null;
  isPending: boolean;
  onSchedule: (at: string) => void;
  onClose: () => void;
};

export function ScheduleDialog({ names, chosenAt, isPending, onSchedule, onClose }: ScheduleDialogProps) {
  const zone = getBrowserTimeZone();
  const [{ date, time }, setFields] = useState(() =>
    toLocalFields(chosenAt ? new Date(chosenAt) : suggestMoment(), zone),
  );
  const [error, setError] = useState<string>();
  const moment = resolveLocalTime(date, time, zone);
  const change = (values: { date?: string; time?: string }) => {
    setError(undefined);
    setFields((before) => ({ ...before, ...values }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!moment) return setError(scheduleMessages.incomplete);
    if (moment.at.getTime() <= Date.now()) return setError(scheduleMessages.past);
    onSchedule(moment.at.toISOString());
  };
  return (
    <Dialog open onOpenChange={onClose} title={names.title} description={names.text}>
      <form onSubmit={submit} noValidate className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={scheduleMessages.date}
            type="date"
            value={date}
            error={error}
            onChange={(event) => change({ date: event.target.value })}
          />
          <TextField
            label={scheduleMessages.time}
            type="time"
            value={time}
            onChange={(event) => change({ time: event.target.value })}
          />
        </div>
        <p className="text-muted text-xs">{scheduleMessages.zone(zone)}</p>
        <Moment moment={moment} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="secondary" onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button type="submit" pending={isPending} pendingText={names.pending}>
            {names.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
