import { type CarriedFile, takeCarriedFiles } from '../../../lib/session/carried-files.ts';
import { bulkMessages as text } from '../messages.ts';
import { toExtraFile } from '../state/add-to-list.ts';
import { addFiles } from './change-list.ts';

const isAccepted = ({ file, reason }: CarriedFile) => file !== undefined && reason === undefined;

/** Stored files have lost their path. */
function withPath({ file = new File([], ''), name, relativePath }: CarriedFile): File {
  const { type, lastModified } = file;
  return Object.assign(new File([file], name, { type, lastModified }), { relativePath });
}

const refuse = (carried: CarriedFile) => ({
  ...toExtraFile(withPath(carried)),
  size: carried.size,
  file: undefined,
  reason: carried.reason ?? text.asideLost(1),
});

/** Adds the files that another page handed over. */
export async function addCarriedFiles(): Promise<void> {
  const files = await takeCarriedFiles();
  if (files.length === 0) return;
  addFiles({
    accepted: files.filter(isAccepted).map(withPath),
    refused: files.filter((carried) => !isAccepted(carried)).map(refuse),
  });
}
