<?php

declare(strict_types=1);

namespace Uprez;

use InvalidArgumentException;

/** An image to send: by its path, its bytes, an open stream, or its address. */
final class Image
{
    private bool $isSpent = false;

    /** @param resource|null $stream */
    private function __construct(
        public readonly string $filename,
        public readonly ?string $url,
        private readonly ?string $path,
        private readonly mixed $stream,
        private readonly ?int $start,
    ) {
    }

    public static function fromPath(string $path, ?string $filename = null): self
    {
        if (!is_file($path)) {
            throw new InvalidArgumentException("There is no file \"$path\".");
        }
        return new self($filename ?? basename($path), null, $path, null, null);
    }

    public static function fromBytes(string $bytes, string $filename = 'image'): self
    {
        $stream = fopen('php://temp', 'w+b');
        fwrite($stream, $bytes);
        return new self($filename, null, null, $stream, 0);
    }

    /**
     * What lies from here to the stream's end. A stream that cannot be wound back is sent once, without retries.
     *
     * @param resource $stream
     */
    public static function fromStream(mixed $stream, string $filename = 'image'): self
    {
        $isSeekable = stream_get_meta_data($stream)['seekable'];
        return new self($filename, null, null, $stream, $isSeekable ? (int) ftell($stream) : null);
    }

    /** An image that the service fetches itself; https only. */
    public static function fromUrl(string $url, string $filename = ''): self
    {
        return new self($filename, $url, null, null, null);
    }

    /**
     * The bytes from their beginning, and how many there are; null where that is not known.
     *
     * @internal
     *
     * @return array{resource, int|null}
     */
    public function open(): array
    {
        if ($this->path !== null) {
            return [fopen($this->path, 'rb'), filesize($this->path)];
        }
        if ($this->start === null) {
            $this->isSpent = true;
            return [$this->stream, null];
        }
        fseek($this->stream, 0, SEEK_END);
        $end = (int) ftell($this->stream);
        fseek($this->stream, $this->start);
        return [$this->stream, $end - $this->start];
    }

    /**
     * Whether it cannot be sent once more.
     *
     * @internal
     */
    public function isSpent(): bool
    {
        return $this->isSpent;
    }
}
