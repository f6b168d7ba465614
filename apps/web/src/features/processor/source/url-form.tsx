import { type FormEvent, useState } from 'react';
import { messages } from '../../../messages.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { chooseImage } from './choose-image.ts';

const text = messages.processor;

export function UrlForm() {
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const address = String(new FormData(event.currentTarget).get('address') ?? '').trim();
    if (URL.canParse(address) && new URL(address).protocol === 'https:') void chooseImage(address);
    else setError(text.addressError);
  };
  return (
    <form onSubmit={submit} noValidate className="flex w-full max-w-md items-start gap-2 text-left">
      <div className="min-w-0 grow">
        <TextField
          label={text.address}
          labelHidden
          name="address"
          type="url"
          inputMode="url"
          placeholder={text.addressExample}
          autoComplete="off"
          autoFocus
          error={error}
        />
      </div>
      <Button type="submit" look="secondary">
        {text.addressSubmit}
      </Button>
    </form>
  );
}
