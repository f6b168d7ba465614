import { useState } from 'react';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TextArea } from '../../ui/controls/text-area.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Example, Grid } from './example.tsx';
import { devUiMessages as text } from './messages.ts';

export function FieldsExample() {
  const [number, setNumber] = useState<number | undefined>(95);
  const [choice, setChoice] = useState<(typeof text.options)[number]['value']>('one');
  return (
    <Example section="fields">
      <Grid>
        <TextField label={text.name} optional={text.optional} hint={text.hint} />
        <TextField label={text.name} error={text.error} defaultValue={text.word} />
        <TextField label={text.name} disabled defaultValue={text.word} />
        <PasswordField label={text.name} defaultValue={text.word} />
        <NumberField label={text.name} value={number} onChange={setNumber} min={1} max={100} suffix={text.suffix} />
        <NumberField label={text.name} value={number} onChange={setNumber} min={1} max={100} disabled />
        <Select label={text.name} value={choice} onChange={setChoice} options={text.options} hint={text.hint} />
        <Select label={text.name} value={choice} onChange={setChoice} options={text.options} error={text.error} />
        <Select label={text.name} value={choice} onChange={setChoice} options={text.options} disabled />
        <TextArea label={text.name} defaultValue={text.sentence} />
        <TextArea label={text.name} error={text.error} />
      </Grid>
    </Example>
  );
}
