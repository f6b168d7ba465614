import { inputExtensions } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { useEffect } from 'react';
import { describeRejection } from '../../lib/images/rejection-reasons.ts';
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

const accepted = { maxBytes: limits.uploadBytes, unsupported: text.unsupported };

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
          <p className="verbatim font-medium">{rejection.file.name}</p>
          <p className="text-muted">{describeRejection(rejection, accepted)}</p>
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
