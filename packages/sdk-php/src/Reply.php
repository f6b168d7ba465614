<?php

declare(strict_types=1);

namespace Uprez;

/**
 * A response of the API.
 *
 * @internal
 */
final class Reply
{
    /**
     * @param array<string, mixed>  $data
     * @param array<string, string> $headers names in lower case
     */
    public function __construct(
        public readonly array $data,
        private readonly array $headers = [],
        /** An image; null if it isn't ready. */
        public readonly ?string $bytes = null,
    ) {
    }

    public function header(string $name): ?string
    {
        return $this->headers[$name] ?? null;
    }

    /** Credits charged by the request, if reported. */
    public function charged(): ?int
    {
        $text = $this->header('x-credits-charged');
        return $text === null ? null : (int) $text;
    }
}
