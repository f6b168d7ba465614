import { RotateCcw } from 'lucide-react';
import { Button } from '../controls/button.tsx';

type NextStepsProps = {
  text: { changeSettings: string; startOver: string };
  onChangeSettings: () => void;
  onStartOver: () => void;
};

export function NextSteps({ text, onChangeSettings, onStartOver }: NextStepsProps) {
  return (
    <div className="grid grid-cols-2 gap-2 border-line border-t pt-4">
      <Button look="secondary" onClick={onChangeSettings}>
        {text.changeSettings}
      </Button>
      <Button look="secondary" onClick={onStartOver}>
        <RotateCcw aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.startOver}
      </Button>
    </div>
  );
}
