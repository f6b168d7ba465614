import type { DropRejection } from '../../../lib/images/drop-rejection.ts';
import { messages } from '../../../messages.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';

const text = messages.processor;
const isHeic = (name: string) => /\.hei[cf]$/i.test(name);

/** The rejected files with their reasons. */
export function Rejections({ rejections }: { rejections: readonly DropRejection[] }) {
  if (rejections.length === 0) return null;
  return (
    <Notice kind="danger">
      <ul className="grid gap-2">
        {rejections.map(({ file, errors }, index) => (
          <li key={index}>
            <p className="font-medium">{file.name}</p>
            {errors.map(({ code, message }) => (
              <p key={code} className="text-muted">
                {message}
              </p>
            ))}
            {isHeic(file.name) && <p className="text-muted">{text.heic}</p>}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
