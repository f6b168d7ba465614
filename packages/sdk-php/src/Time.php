<?php

declare(strict_types=1);

namespace Uprez;

use DateTimeImmutable;

/**
 * Times of responses.
 *
 * @internal
 */
final class Time
{
    public static function parse(?string $text): ?DateTimeImmutable
    {
        return $text === null ? null : new DateTimeImmutable($text);
    }
}
