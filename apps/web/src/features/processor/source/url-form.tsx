import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { describeError } from '../../../lib/api/api-errors.ts';
import { messages } from '../../../messages.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { chooseImage } from './choose-image.ts';

const text = messages.processor;
const isHttps = (address: string) => URL.canParse(address) && new URL(address).protocol === 'https:';

/** Leaving the form aborts the request. */
export function UrlForm() {
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const abort = useRef(new AbortController());
  useEffect(() => {
    abort.current = new AbortController();
    return () => abort.current.abort();
  }, []);
  const fail = (sentence: string) => {
    setPending(false);
    setError(sentence);
    field.current?.focus();
  };
  const open = async (address: string) => {
    const { signal } = abort.current;
    setPending(true);
    setError(undefined);
    try {
      const file = await fetchImage(address, signal);
      if (!signal.aborted) await chooseImage(file);
    } catch (thrown) {
      if (!signal.aborted) fail(describeError(thrown));
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const address = String(new FormData(event.currentTarget).get('address') ?? '').trim();
    if (!isHttps(address)) fail(text.addressError);
    else if (!pending) void open(address);
  };
  return (
    <form onSubmit={submit} noValidate className="flex w-full max-w-md items-start gap-2 text-left">
      <div className="min-w-0 grow">
        <TextField
          ref={field}
          label={text.address}
          labelHidden
          name="address"
          type="url"
          inputMode="url"
          placeholder={text.addressExample}
          autoComplete="off"
          autoFocus
          readOnly={pending}
          error={error}
        />
      </div>
      <Button type="submit" look="secondary" pending={pending} pendingText={text.addressPending}>
        {text.addressSubmit}
      </Button>
    </form>
  );
}

/**
 * Fetches the image at a URL through the server, which connects only to public servers. Throws ApiError and TypeError.
 */
async function fetchImage(imageUrl: string, signal: AbortSignal): Promise<File> {
  const { response, headers } = await api.fetchImage({ body: { imageUrl }, signal });
  const blob = await response.blob();
  return new File([blob], decodeURIComponent(headers.get('x-file-name') ?? ''), { type: blob.type });
}
