import { withWatchdog } from '../watchdog.ts';

export type BlockPoolOptions = {
  blockBytes: number;
  blocksPerPart: number;
  /** Number of whole parts that fit into the memory. */
  parts: number;
  waitMs: number;
};

/** The blocks that one upload holds. Only the pool changes the list. */
export type BlockHolder = { readonly blocks: Buffer[] };
type Waiter = { holder: BlockHolder; grant: () => void };

/**
 * Memory for a fixed number of upload parts. Any number of uploads share it in small blocks. An upload holds only the
 * bytes that its client has sent, so a few slow clients can't block all others.
 *
 * The pool can't deadlock, because it hands out a block only if the remaining free blocks suffice to fill the fullest
 * part. That part can always be filled, sent, and released. Its memory is then available for the next part.
 */
export class BlockPool {
  readonly options: BlockPoolOptions;
  readonly #spare: Buffer[] = [];
  readonly #holders = new Set<BlockHolder>();
  readonly #waiters = new Set<Waiter>();
  #freeBlocks: number;

  constructor(options: BlockPoolOptions) {
    this.options = options;
    this.#freeBlocks = options.parts * options.blocksPerPart;
  }

  /** Adds a block to a holder, waiting for one if needed. Rejects after `waitMs`, or with the signal's reason. */
  async take(holder: BlockHolder, signal?: AbortSignal): Promise<void> {
    this.#holders.add(holder);
    const waiter: Waiter = { holder, grant: () => {} };
    const granted = new Promise<void>((resolve) => {
      waiter.grant = resolve;
    });
    this.#waiters.add(waiter);
    this.#serve();
    try {
      await withWatchdog({ stallMs: this.options.waitMs, signal }, () => granted);
    } finally {
      this.#waiters.delete(waiter);
    }
  }

  release(holder: BlockHolder): void {
    this.#freeBlocks += holder.blocks.length;
    this.#spare.push(...holder.blocks.splice(0));
    this.#holders.delete(holder);
    this.#serve();
  }

  #serve(): void {
    for (const waiter of this.#waiters) {
      if (!this.#mayTake(waiter.holder)) continue;
      this.#waiters.delete(waiter);
      this.#freeBlocks--;
      waiter.holder.blocks.push(this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.options.blockBytes));
      waiter.grant();
    }
  }

  #mayTake(holder: BlockHolder): boolean {
    let fullest = holder.blocks.length + 1;
    for (const { blocks } of this.#holders) fullest = Math.max(fullest, blocks.length);
    return this.#freeBlocks - 1 >= this.options.blocksPerPart - fullest;
  }
}

/** Minimum part size in S3, except for the last part of an upload. */
const partBytes = 5 * 1024 * 1024;

/** Upload memory of this process. Holds at most 8 parts (40 MiB), allocated as needed. */
export const uploadMemory = new BlockPool({
  blockBytes: partBytes / 20,
  blocksPerPart: 20,
  parts: 8,
  waitMs: 30_000,
});
