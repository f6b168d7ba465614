import type { AppError } from '@uprez/contracts/errors/app-error';
import type { FileReport } from './file-report.ts';
import { findFault } from './judge-failure.ts';
import type { KeptChild } from './keep-child.ts';
import type { Question, Reply } from './open-corpus-child.ts';

/** The way of a file ends here: refused, or crashed where there is a fault. */
export type End = Pick<FileReport, 'verdict' | 'code' | 'sentence' | 'fault'>;
/** What the children used for one file, added up. */
export type Usage = Pick<FileReport, 'ms' | 'peakBytes' | 'log'>;

/** End with a failure's code and sentence; it is a crash where the code says so, or the words are not ours. */
export function endWith(code: AppError['code'], sentence: string): End {
  const fault = findFault(code, sentence);
  return { verdict: fault ? 'crashed' : 'refused', code, sentence, ...(fault ? { fault } : {}) };
}

/** Ask a child and add to `usage` what it took. Answers its reply, or how the file's way ended. */
export async function askChild(kept: KeptChild, question: Question, usage: Usage): Promise<{ said: Reply } | End> {
  const child = await kept.get();
  const answer = await child.ask(question);
  usage.ms += answer.ms;
  usage.peakBytes = Math.max(usage.peakBytes, answer.peakBytes);
  if (answer.log) usage.log = [usage.log, answer.log].filter(Boolean).join('\n');
  if ('died' in answer) return { verdict: 'crashed', fault: `${kept.name} ${answer.died}` };
  if (answer.said.type === 'failed') return endWith(answer.said.code, answer.said.detail);
  return { said: answer.said };
}
