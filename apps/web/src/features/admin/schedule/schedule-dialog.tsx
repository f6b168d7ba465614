import { type FormEvent, useState } from 'react';
import { formatTime } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { cancel, Dialog } from '../../../ui/overlays/dialog.tsx';
import { browserTimeZone, type LocalMoment, resolveLocalTime, toLocalFields } from './local-time.ts';
import { scheduleMessages as text } from './messages.ts';

const dayMs = 86_400_000;
const utc = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Returns the start of the current hour, one day ahead. */
function suggestMoment(): Date {
  const at = new Date(Date.now() + dayMs);
  at.setMinutes(0, 0, 0);
  return at;
}

/** Shows the chosen moment in local time and in UTC, with a warning if a clock change affects it. */
function Moment({ moment }: { moment: LocalMoment | undefined }) {
  if (!moment) return null;
  const { at, note } = moment;
  const local = formatTime(at);
  return (
    <div className="grid gap-3">
      <p role="status" className="text-sm tabular-nums">
        {text.result(local, utc.format(at))}
      </p>
      {note && <Notice kind="warning">{note === 'skipped' ? text.skipped(local) : text.repeated}</Notice>}
    </div>
  );
}

type ScheduleDialogProps = {
  /** Title, description, and button labels of the dialog. */
  names: { title: string; text: string; submit: string; pending: string };
  /** Previously chosen time, or null if there is none. */
  chosenAt: string | null;
  isPending: boolean;
  onSchedule: (at: string) => void;
  onClose: () => void;
};

/** Asks for a time in the future, in the time zone of the browser. */
export function ScheduleDialog({ names, chosenAt, isPending, onSchedule, onClose }: ScheduleDialogProps) {
  const zone = browserTimeZone();
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
    if (!moment) return setError(text.incomplete);
    if (moment.at.getTime() <= Date.now()) return setError(text.past);
    onSchedule(moment.at.toISOString());
  };
  return (
    <Dialog open onOpenChange={onClose} title={names.title} description={names.text}>
      <form onSubmit={submit} noValidate className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={text.date}
            type="date"
            value={date}
            error={error}
            onChange={(event) => change({ date: event.target.value })}
          />
          <TextField
            label={text.time}
            type="time"
            value={time}
            onChange={(event) => change({ time: event.target.value })}
          />
        </div>
        <p className="text-muted text-xs">{text.zone(zone)}</p>
        <Moment moment={moment} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="secondary" onClick={onClose}>
            {cancel}
          </Button>
          <Button type="submit" pending={isPending} pendingText={names.pending}>
            {names.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
