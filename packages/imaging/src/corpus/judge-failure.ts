import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';

/** Words in messages of libraries, the system, and JavaScript. */
const foreign =
  /vips|sharp|lib(s?png|jpeg|webp|tiff|heif)|onnx|_buffer|\w(load|save)\b|[Ii]nput (buffer|file)|\bE[A-Z]{4,}\b|Error\b|undefined|\bNaN\b|\bnull\b|\[object|[\w.]\/\w+\//;

/** Whether a message is the code's title, or a sentence without foreign words. */
const isOurSentence = (code: ErrorCode, sentence: string): boolean =>
  sentence === errorCodes[code].title || (/^[A-Z"].{8,400}[.]$/.test(sentence) && !foreign.test(sentence));

/** Find what is wrong with a failure that a child reported. Returns undefined for a validation error. */
export function findMismatch(code: ErrorCode, sentence: string): string | undefined {
  if (errorCodes[code].report) return `ended in ${code}`;
  return isOurSentence(code, sentence) ? undefined : 'was refused in words that are not ours';
}
