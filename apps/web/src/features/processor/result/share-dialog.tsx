import { limits } from '@uprez/contracts/policy/limits';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { describeError } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useNow } from '../../../lib/browser/use-now.ts';
import { formatDateTime, formatTimeLeft } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { processorMessages } from '../messages.ts';

const text = processorMessages.share;
const hourMs = 3_600_000;
type Hours = (typeof limits.shareHours)[number];

/**
 * Returns the options for a link's lifetime: those that end before the result expires, and one that ends with the
 * result.
 */
function lifeOptions(expiresAt: string, now: number) {
  const left = new Date(expiresAt).getTime() - now;
  const shorter = limits.shareHours.filter((hours) => hours * hourMs < left);
  const whole = limits.shareHours.find((hours) => hours * hourMs >= left);
  return [
    ...shorter.map((hours) => ({ value: String(hours), label: text.life(hours) })),
    ...(whole === undefined ? [] : [{ value: String(whole), label: text.whole(formatTimeLeft(expiresAt, now) ?? '') }]),
  ];
}

function LinkField({ url, expiresAt }: { url: string; expiresAt: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <TextField
      ref={field}
      label={text.link}
      hint={text.until(formatDateTime(expiresAt))}
      value={url}
      readOnly
      onFocus={({ target }) => target.select()}
      end={<CopyButton text={url} label={text.copy} source={field} />}
    />
  );
}

type ShareDialogProps = { job: Job & { expiresAt: string }; onClose: () => void };

export function ShareDialog({ job, onClose }: ShareDialogProps) {
  const options = lifeOptions(job.expiresAt, useNow(hourMs));
  const [hours, setHours] = useState<string>(options[0]?.value ?? '');
  const share = useResourceMutation({
    call: async (life: Hours) => (await api.shareResult({ params: { id: job.id }, body: { hours: life } })).data,
  });
  const choose = (next: string) => {
    setHours(next);
    share.reset();
  };
  return (
    <Dialog open onOpenChange={onClose} title={text.title} description={text.about}>
      <Select label={text.expires} value={hours} onChange={choose} options={options} />
      {share.isError && <Notice kind="danger">{describeError(share.error)}</Notice>}
      {share.data ? (
        <LinkField url={new URL(share.data.url, window.location.origin).href} expiresAt={share.data.expiresAt} />
      ) : (
        <Button
          pending={share.isPending}
          className="justify-self-start"
          onClick={() => share.mutate(Number(hours) as Hours)}
        >
          {text.create}
        </Button>
      )}
    </Dialog>
  );
}
