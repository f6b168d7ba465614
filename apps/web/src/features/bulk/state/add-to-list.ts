import { limits } from '@uprez/contracts/policy/limits';
import { randomId } from '../../../lib/browser/random-id.ts';
import { fileIdentityOf, isAcceptedRow, isFileMissing, type Row } from './row.ts';

/** A file that exceeds the maximum batch size. If `file` is undefined, the user must add the file again. */
export type ExtraFile = Pick<Row, 'name' | 'size' | 'relativePath'> & { file?: File | undefined };
export type RejectedFile = ExtraFile & { reason: string };
export type AddedFiles = { accepted: readonly File[]; refused: readonly RejectedFile[] };
type ListFiles = { rows: readonly Row[]; extraFiles: readonly ExtraFile[] };

/** Returns the path of a file within the dropped or chosen folder, without leading dots and slashes. */
export function relativePathOf(file: File & { relativePath?: string; path?: string }): string {
  const path = file.webkitRelativePath || file.relativePath || file.path || file.name;
  return path.replace(/^(\.?[/\\])+/, '').slice(-limits.relativePathLength);
}

export const toExtraFile = (file: File): ExtraFile => ({
  name: file.name,
  size: file.size,
  relativePath: relativePathOf(file),
  file,
});

const rowOf = ({ name, size, relativePath, file }: ExtraFile): Row => ({
  ...{ id: randomId(), name, size, relativePath, mediaType: file?.type, file },
  ...{ status: 'pending', sent: 0, progress: 0 },
});

const countFreeSlots = (rows: readonly Row[]) => limits.batchItems - rows.filter(isAcceptedRow).length;

function restoreFiles(rows: readonly Row[], files: readonly ExtraFile[]): { rows: Row[]; rest: ExtraFile[] } {
  const given = [...rows];
  const rest = files.filter((file) => {
    const index = given.findIndex((row) => isFileMissing(row) && fileIdentityOf(row) === fileIdentityOf(file));
    const row = given[index];
    if (!row) return true;
    given[index] = { ...row, file: file.file };
    return false;
  });
  return { rows: given, rest };
}

const { compare } = new Intl.Collator('en', { numeric: true });
/** Compares paths in natural order. Files are sorted, because the file system returns them in any order. */
const comparePaths = (a: ExtraFile, b: ExtraFile) => compare(a.relativePath, b.relativePath);

/** Removes hidden files and system files, which nobody adds on purpose. */
export const omitHiddenFiles = ({ accepted, refused }: AddedFiles): AddedFiles => ({
  accepted: accepted.filter((file) => !isHiddenPath(relativePathOf(file))),
  refused: refused.filter(({ relativePath }) => !isHiddenPath(relativePath)),
});

/**
 * Adds files to the list, up to the maximum batch size. Files that the list is missing are restored. Rejected files are
 * listed with their reason. `cut`: number of files that didn't fit.
 */
export function addToList(list: ListFiles, { accepted, refused }: AddedFiles): ListFiles & { cut: number } {
  const files = accepted.map(toExtraFile).toSorted(comparePaths);
  const { rows, rest } = restoreFiles(list.rows, files);
  const known = new Set(files.map(fileIdentityOf));
  const waiting = list.extraFiles.filter((file) => file.file || !known.has(fileIdentityOf(file)));
  const room = Math.max(0, countFreeSlots(rows));
  const extra = rest.slice(room);
  const bad = refused.map(({ reason, ...file }): Row => ({ ...rowOf(file), status: 'rejected', error: reason }));
  const badRoom = limits.batchItems - (rows.length - rows.filter(isAcceptedRow).length);
  return {
    rows: [...rows, ...rest.slice(0, room).map(rowOf), ...bad.slice(0, Math.max(0, badRoom))],
    extraFiles: [...waiting, ...extra],
    cut: extra.length,
  };
}

export function moveExtraToList({ rows, extraFiles }: ListFiles): ListFiles {
  const here = extraFiles.filter(({ file }) => file).slice(0, Math.max(0, countFreeSlots(rows)));
  return { rows: [...rows, ...here.map(rowOf)], extraFiles: extraFiles.filter((file) => !here.includes(file)) };
}

/** Names of files and folders that Windows and macOS create as hidden, but without a leading dot. */
const systemNames: readonly string[] = ['thumbs.db', 'desktop.ini', '__macosx', 'icon\r'];

const isHidden = (name: string) => /^\.(?!\.?$)/.test(name) || systemNames.includes(name.toLowerCase());

/** Whether a file, or a folder in its path, is hidden or belongs to the operating system. */
export const isHiddenPath = (path: string): boolean => path.split(/[/\\]/).some(isHidden);
