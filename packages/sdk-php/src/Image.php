<?php

declare(strict_types=1);

namespace Uprez;

use InvalidArgumentException;

/** An image to process: a path, bytes, an open stream, or a URL. */
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
        /** Where its result is uploaded to. */
        public readonly ?string $targetUrl = null,
    ) {
    }

    public static function fromPath(string $path, ?string $filename = null): self
    {
        if (!is_file($path)) {
            throw new InvalidArgumentException("File not found: \"$path\"");
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
     * The rest of a stream. A stream that isn't seekable is sent once, without retries.
     *
     * @param resource $stream
     */
    public static function fromStream(mixed $stream, string $filename = 'image'): self
    {
        $isSeekable = stream_get_meta_data($stream)['seekable'];
        return new self($filename, null, null, $stream, $isSeekable ? (int) ftell($stream) : null);
    }

    /** An image that the service fetches from an https URL. */
    public static function fromUrl(string $url, string $filename = ''): self
    {
        return new self($filename, $url, null, null, null);
    }

    /** The image of a batch whose result is uploaded with PUT to an https URL, such as a signed URL of a bucket. */
    public function withTarget(string $url): self
    {
        return new self($this->filename, $this->url, $this->path, $this->stream, $this->start, $url);
    }

    /**
     * Open the bytes from the start. Returns the stream and its size; null if unknown.
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
     * Whether the image can't be sent again.
     *
     * @internal
     */
    public function isSpent(): bool
    {
        return $this->isSpent;
    }
}
