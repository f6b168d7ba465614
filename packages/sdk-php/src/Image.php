<?php

declare(strict_types=1);

namespace Uprez;

use InvalidArgumentException;

/** An image to process: a path, bytes, an open stream, or a URL. */
final class Image
{
    private bool $isSpent = false;
    /** @internal */
    public string $contentType = 'application/octet-stream';
    private string $before = '';
    private string $after = '';

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
     * The image in a form, with fields that are too large for the query string.
     *
     * @internal
     *
     * @param array<string, string> $fields
     */
    public function inForm(array $fields): self
    {
        $boundary = bin2hex(random_bytes(16));
        $form = clone $this;
        $form->contentType = "multipart/form-data; boundary=$boundary";
        $begin = "--$boundary\r\nContent-Disposition: form-data; name=";
        foreach ($fields as $name => $value) {
            $form->before .= "$begin\"$name\"\r\n\r\n$value\r\n";
        }
        // Escaped as browsers do: https://html.spec.whatwg.org/#multipart-form-data
        $filename = str_replace(['"', "\r", "\n"], ['%22', '%0D', '%0A'], $this->filename);
        $form->before .= "$begin\"image\"; filename=\"$filename\"\r\n\r\n";
        $form->after = "\r\n--$boundary--\r\n";
        return $form;
    }

    /**
     * Open the body from the start. Returns a function that reads up to a number of bytes, and the size; null if unknown.
     *
     * @internal
     *
     * @return array{callable(int): string, int|null}
     */
    public function open(): array
    {
        [$stream, $size] = $this->openStream();
        [$before, $after] = [$this->before, $this->after];
        $read = static function (int $length) use ($stream, &$before, &$after): string {
            if ($before !== '') {
                [$chunk, $before] = [substr($before, 0, $length), substr($before, $length)];
                return $chunk;
            }
            $chunk = (string) fread($stream, $length);
            if ($chunk === '') {
                [$chunk, $after] = [substr($after, 0, $length), substr($after, $length)];
            }
            return $chunk;
        };
        return [$read, $size === null ? null : strlen($before) + $size + strlen($after)];
    }

    /** @return array{resource, int|null} */
    private function openStream(): array
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
