import type { DropRejection } from './use-drop-area.ts';

/** Why a file isn't accepted, one sentence per reason. */
export const rejectionReasons = ({ errors }: Pick<DropRejection, 'errors'>) => errors.map(({ message }) => message);
