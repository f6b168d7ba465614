<?php

declare(strict_types=1);

namespace Uprez;

/**
 * A part of a list.
 *
 * @template T
 */
final class Page
{
    /** @param list<T> $data */
    public function __construct(
        public readonly array $data,
        /** Asks for the page after this one; null: this was the last. */
        public readonly ?string $nextCursor,
    ) {
    }
}
