<?php

declare(strict_types=1);

namespace Uprez;

/**
 * A page of a list.
 *
 * @template T
 */
final class Page
{
    /** @param list<T> $data */
    public function __construct(
        public readonly array $data,
        /** Cursor of the next page; null on the last page. */
        public readonly ?string $nextCursor,
    ) {
    }
}
