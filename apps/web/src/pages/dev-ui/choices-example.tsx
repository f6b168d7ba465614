import { useState } from 'react';
import { devUiMessages as text } from '../../messages/dev-ui.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Slider } from '../../ui/slider.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Example, Grid } from './example.tsx';

const stops = { label: text.name, min: 1, max: 8 } as const;
const tabs = text.options.map(({ value, label }) => ({ value, label, content: label }));

export function ChoicesExample() {
  const [on, setOn] = useState(true);
  const [factor, setFactor] = useState(2);
  const [choice, setChoice] = useState<(typeof text.options)[number]['value']>('one');
  const slider = { ...stops, value: factor, valueText: String(factor), onChange: setFactor };
  return (
    <Example section="choices">
      <Grid>
        <div className="grid justify-items-start gap-3">
          <Checkbox label={text.sentence} checked={on} onChange={setOn} />
          <Checkbox label={text.name} checked={!on} onChange={() => setOn(!on)} error={text.error} />
          <Checkbox label={text.name} checked onChange={setOn} disabled />
        </div>
        <div className="grid justify-items-start gap-3">
          <Switch label={text.name} checked={on} onChange={setOn} />
          <Switch label={text.name} checked={!on} onChange={() => setOn(!on)} />
          <Switch label={text.name} checked disabled onChange={setOn} />
        </div>
        <Segmented legend={text.name} options={text.options} value={choice} onChange={setChoice} />
        <Slider {...slider} />
        <Slider {...slider} lockedFrom={5} lockedText={text.locked} />
        <Slider {...slider} disabled />
      </Grid>
      <Tabs label={text.name} value={choice} onChange={setChoice} tabs={tabs} />
    </Example>
  );
}
