/** Why a text can't be published, for its author. `line` counts from 1. */
export type Problem = { message: string; line: number };

/** The error of a text that can't be published. Its message is public. */
export class MarkupError extends Error {
  readonly line: number;

  constructor({ message, line }: Problem) {
    super(message);
    this.name = 'MarkupError';
    this.line = line;
  }
}
