import { useEffect, useRef } from 'react';
import { messages } from '../../../messages.ts';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { useProcessor } from '../processor-store.ts';
import { chooseImage } from './choose-image.ts';

/** The editable URL of the image, with the server's error. */
export function UrlField({ address, disabled }: { address: string; disabled: boolean }) {
  const fault = useProcessor((state) => state.urlError);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (fault) field.current?.focus();
  }, [fault]);
  const leave = (next: string) => {
    if (next && next !== address) void chooseImage(next);
  };
  return (
    <TextField
      key={address}
      ref={field}
      label={messages.processor.address}
      type="url"
      inputMode="url"
      defaultValue={address}
      disabled={disabled}
      error={fault}
      onBlur={(event) => leave(event.target.value.trim())}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
}
