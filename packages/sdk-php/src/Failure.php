<?php

declare(strict_types=1);

namespace Uprez;

/** The reason a job or batch item failed. */
final class Failure
{
    public function __construct(
        public readonly string $code,
        public readonly string $message,
        public readonly ?string $documentationUrl,
    ) {
    }

    /** @param array<string, string>|null $data */
    public static function of(?array $data): ?self
    {
        return $data === null ? null : new self($data['code'], $data['message'], $data['documentation_url'] ?? null);
    }
}
