import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { Replace } from 'lucide-react';
import { useRef, useState } from 'react';
import { errorMessage, ShownError } from '../../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { mediaMessages, fileMessages as text, uploadMessages } from '../messages.ts';
import { mediaKeys } from '../queries.ts';
import { sendReplacement } from '../upload/send-file.ts';
import { acceptedTypes, findReason } from '../upload/upload-rows.ts';

/** Replaces the content of a file. Its URL stays. */
export function ReplaceButton({ file: { id, kind } }: { file: MediaFile }) {
  const input = useRef<HTMLInputElement>(null);
  const [percent, setPercent] = useState(0);
  const replace = useResourceMutation({
    call: (chosen: File) => {
      const reason = findReason(chosen, kind === 'image' ? 'image' : 'all');
      if (reason) throw new ShownError(reason);
      return sendReplacement(id, chosen, { signal: new AbortController().signal, onPercent: setPercent });
    },
    invalidates: mediaKeys,
    onError: (error) =>
      showToast({
        title: mediaMessages.failure,
        description: `${uploadMessages.failed}. ${errorMessage(error)}`,
        destructive: true,
      }),
    onSuccess: () => showToast({ title: mediaMessages.success, description: text.replaced }),
  });
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={kind === 'image' ? acceptedTypes.image : acceptedTypes.all}
        aria-label={text.replace}
        className="hidden"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          target.value = '';
          if (chosen) replace.mutate(chosen);
        }}
      />
      <Button
        look="secondary"
        title={text.replaceHint}
        pending={replace.isPending}
        pendingText={percent > 0 && percent < 100 ? uploadMessages.percent(percent) : uploadMessages.pending}
        onClick={() => input.current?.click()}
      >
        <Replace aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.replace}
      </Button>
    </>
  );
}
