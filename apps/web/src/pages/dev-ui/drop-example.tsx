import { useState } from 'react';
import type { DropRejection } from '../../lib/images/drop-rejection.ts';
import { DropArea, DropFrame } from '../../ui/controls/drop-area.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Example, Grid } from './example.tsx';
import { devUiMessages as text } from './messages.ts';

const accept = { 'image/png': ['.png'], 'image/jpeg': ['.jpg', '.jpeg'] };
const kilobyte = 1024;
/** Props of a static drop area. */
const still = {
  rootProps: {},
  inputProps: { type: 'file', className: 'sr-only', tabIndex: -1 },
  buttonProps: { disabled: false, onClick: () => {}, onFocus: () => {}, onBlur: () => {} },
};

const refused = ({ file, errors }: DropRejection) =>
  text.fileRefused(file.name, errors.map(({ message }) => message).join(', '));

export function DropExample() {
  const [accepted, setAccepted] = useState<File[]>([]);
  const [rejections, setRejections] = useState<DropRejection[]>([]);
  const take = (files: File[], others: DropRejection[]) => {
    setAccepted(files);
    setRejections(others);
  };
  return (
    <Example section="drop">
      <DropArea label={text.word} accept={accept} minSize={1} maxSize={kilobyte * kilobyte} maxFiles={2} onDrop={take}>
        {text.sentence}
      </DropArea>
      {accepted.map((file) => (
        <Notice key={file.name} kind="info">
          {file.name}
        </Notice>
      ))}
      {rejections.map((rejection) => (
        <Notice key={rejection.file.name} kind="danger">
          {refused(rejection)}
        </Notice>
      ))}
      <Grid>
        {text.states.map((state) => (
          <DropFrame key={state} {...still} state={state} label={text.word}>
            {state}
          </DropFrame>
        ))}
      </Grid>
    </Example>
  );
}
