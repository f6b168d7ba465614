import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { formatBytes } from '@uprez/contracts/texts/format';
import { mediaPath } from '@uprez/contracts/texts/media';
import { formatSize, formatTime } from '../../../../lib/format/format.ts';
import { CopyBlock } from '../../../../ui/code/copy-block.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { FactGrid } from '../../../../ui/layout/fact-grid.tsx';
import { fileUrl } from '../copy-file-url.ts';
import { mediaMessages, fileMessages as text } from '../messages.ts';

/** How Markdown shows an image of the library. */
const markdownOf = ({ id, alt }: MediaFile) => `![${alt.replace(/[\\[\]]/g, '\\$&')}](${mediaPath(id)})`;

/** Type, size, and upload of a file, and its URL. */
export function FileFacts({ file }: { file: MediaFile }) {
  const { kind, mimeType, fileSize, width, height, version, uploadedAt, uploadedBy, deletedAt } = file;
  const uploader = uploadedBy ? uploadedBy.firstName || uploadedBy.email : mediaMessages.noUploader;
  return (
    <Card>
      <FactGrid
        facts={[
          [text.type, mediaMessages.types[mimeType]],
          [text.size, formatBytes(fileSize)],
          ...(width && height ? ([[text.dimensions, formatSize({ width, height })]] as const) : []),
          [text.version, version],
          [text.uploaded, formatTime(uploadedAt)],
          [text.uploadedBy, uploader],
        ]}
      />
      {!deletedAt && (
        <>
          <div className="grid gap-1.5">
            <p className="font-medium text-sm">{text.address}</p>
            <CopyBlock code={fileUrl(file)} label={text.copyUrl} />
          </div>
          {kind === 'image' && (
            <div className="grid gap-1.5">
              <p className="font-medium text-sm">{text.markdown}</p>
              <CopyBlock code={markdownOf(file)} label={text.copyMarkdown} />
            </div>
          )}
        </>
      )}
    </Card>
  );
}
