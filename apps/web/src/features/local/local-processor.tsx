import { inputExtensions } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { formatBytes } from '@uprez/contracts/texts/format';
import { useEffect } from 'react';
import type { DropRejection } from '../../lib/images/use-drop-area.ts';
import { messages } from '../../messages.ts';
import { DropArea } from '../../ui/controls/drop-area.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Spinner } from '../../ui/layout/logo-mark.tsx';
import { localMessages as text } from './messages.ts';
import { chooseLocalImage, restoreLocalImage } from './source/choose-local-image.ts';
import { useLocal } from './state/local-store.ts';
import { LocalWorkbench } from './view/local-workbench.tsx';

/** Some systems know no media type for a file. */
const accept = { 'image/*': Object.values(inputExtensions).flat() };

const reasons: Record<string, string> = {
  'file-invalid-type': text.rejected.type,
  'file-too-small': text.rejected.empty,
  'file-too-large': text.rejected.size(formatBytes(limits.uploadBytes)),
  'too-many-files': text.rejected.count,
};
const reasonOf = ({ errors }: DropRejection) => errors.map(({ code, message }) => reasons[code] ?? message).join(' ');

/** Chooses an image, and processes it in the browser. */
export function LocalProcessor() {
  const { image, restoring, rejections } = useLocal();
  useEffect(() => void restoreLocalImage(), []);
  if (image) return <LocalWorkbench image={image} />;
  if (restoring)
    return (
      <div className="grid min-h-96 place-items-center">
        <Spinner label={messages.session.loading} />
      </div>
    );
  return (
    <div className="grid gap-4">
      {rejections.map((rejection) => (
        <Notice key={rejection.file.name} kind="danger">
          <p className="font-medium">{rejection.file.name}</p>
          <p className="text-muted">{reasonOf(rejection)}</p>
        </Notice>
      ))}
      <DropArea
        label={text.choose}
        accept={accept}
        minSize={1}
        maxSize={limits.uploadBytes}
        multiple={false}
        onDrop={([file], next) => (file ? void chooseLocalImage(file) : useLocal.setState({ rejections: next }))}
      >
        {text.chooseHint}
      </DropArea>
    </div>
  );
}
