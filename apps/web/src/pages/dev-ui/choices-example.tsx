import { useState } from 'react';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Slider } from '../../ui/controls/slider.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { Example, Grid } from './example.tsx';
import { devUiMessages as text } from './messages.ts';

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
