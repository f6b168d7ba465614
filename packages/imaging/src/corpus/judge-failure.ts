import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';

/** Words that only libraries, systems and JavaScript itself say. */
const foreign =
  /vips|sharp|lib(s?png|jpeg|webp|tiff|heif)|onnx|_buffer|\w(load|save)\b|[Ii]nput (buffer|file)|\bE[A-Z]{4,}\b|Error\b|undefined|\bNaN\b|\bnull\b|\[object|[\w.]\/\w+\//;

/** Whether a sentence is one of ours: the code's own, or one line that begins and ends as a sentence and quotes no library. */
export const isOurSentence = (code: ErrorCode, sentence: string): boolean =>
  sentence === errorCodes[code].title || (/^[A-Z"].{8,400}[.]$/.test(sentence) && !foreign.test(sentence));

/** What is wrong with a failure that a child reported; undefined: a proper refusal. */
export function findFault(code: ErrorCode, sentence: string): string | undefined {
  if (errorCodes[code].report) return `ended in ${code}`;
  return isOurSentence(code, sentence) ? undefined : 'was refused in words that are not ours';
}
