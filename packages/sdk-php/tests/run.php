<?php

declare(strict_types=1);

// Tests without the service. Run: php tests/run.php

require __DIR__ . '/../autoload.php';

use Uprez\Exception\ConnectionFailedException;
use Uprez\Exception\UprezException;
use Uprez\Exception\WebhookVerificationException;
use Uprez\Image;
use Uprez\Options;
use Uprez\Transport;
use Uprez\Uprez;
use Uprez\Webhook;

set_error_handler(static fn (int $_, string $message) => throw new ErrorException($message));

function same(mixed $expected, mixed $actual): void
{
    if ($expected !== $actual) {
        throw new LogicException(json_encode($actual) . ' instead of ' . json_encode($expected));
    }
}

function between(float $low, float $high, float $actual): void
{
    same(true, $actual >= $low && $actual <= $high);
}

/** @param class-string<Throwable> $class */
function throws(string $class, callable $run): Throwable
{
    try {
        $run();
    } catch (Throwable $thrown) {
        same($class, $thrown::class);
        return $thrown;
    }
    throw new LogicException("no $class");
}

$tests = [
    'sends options in snake_case' => static function (): void {
        $options = new Options(scale: 2.5, longSide: 100, gps: false, extra: ['newer' => 'x']);
        same(['scale' => 2.5, 'long_side' => 100, 'gps' => false, 'newer' => 'x'], $options->toFields());
        same([], (new Options())->toFields());
    },
    'sends a seekable stream from its position, repeatedly' => static function (): void {
        $stream = fopen('php://temp', 'w+b');
        fwrite($stream, 'skipped image');
        fseek($stream, 8);
        $image = Image::fromStream($stream);
        foreach ([1, 2] as $_) {
            [$read, $size] = $image->open();
            same([5, 'image', false], [$size, $read(10), $image->isSpent()]);
        }
    },
    'sends a pipe only once' => static function (): void {
        $image = Image::fromStream(popen('echo image', 'r'));
        [, $size] = $image->open();
        same([null, true], [$size, $image->isSpent()]);
    },
    'waits for Retry-After, or with exponential backoff' => static function (): void {
        between(0.5, 1, 2 * Transport::pauseSeconds(0, null));
        between(2, 4, Transport::pauseSeconds(3, null));
        between(7, 7.25, Transport::pauseSeconds(0, '7'));
        $isTooLong = array_map(Transport::isTooLong(...), [null, 'soon', '60', '61', '86400']);
        same([false, false, false, true, true], $isTooLong);
        between(0, 0.25, Transport::pauseSeconds(0, 'Thu, 01 Jan 2015 00:00:00 GMT'));
        between(0.25, 0.5, Transport::pauseSeconds(0, 'soon'));
    },
    'throws ConnectionFailedException when the server is down' => static function (): void {
        $client = new Uprez('key', 'http://127.0.0.1:9', maxRetries: 0);
        $thrown = throws(ConnectionFailedException::class, static fn () => $client->account());
        same(true, $thrown instanceof UprezException && $thrown->errorCode === 'connection_failed');
    },
    'rejects invalid arguments' => static function (): void {
        putenv('UPREZ_API_KEY');
        putenv('UPREZ_URL');
        throws(InvalidArgumentException::class, static fn () => new Uprez());
        throws(InvalidArgumentException::class, static fn () => Image::fromPath('missing.jpg'));
        $headers = ['webhook-id' => 'm', 'webhook-timestamp' => '1', 'webhook-signature' => 'v1,x'];
        throws(InvalidArgumentException::class, static fn () => Webhook::verify('{}', $headers, 'whsec_?'));
        throws(WebhookVerificationException::class, static fn () => Webhook::verify('{}', $headers, []));
    },
    'accepts webhook headers in each form that PHP provides' => static function (): void {
        $secret = 'whsec_' . base64_encode('webhook test secret');
        $signature = 'v1,' . base64_encode(hash_hmac('sha256', 'm.1.{"a":1}', 'webhook test secret', true));
        foreach (
            [
            ['webhook-id' => 'm', 'webhook-timestamp' => '1', 'webhook-signature' => $signature],
            ['Webhook-Id' => ['m'], 'Webhook-Timestamp' => ['1'], 'Webhook-Signature' => ['v1,x', $signature]],
            ['HTTP_WEBHOOK_ID' => 'm', 'HTTP_WEBHOOK_TIMESTAMP' => '1', 'HTTP_WEBHOOK_SIGNATURE' => $signature],
            ] as $headers
        ) {
            same(['a' => 1], Webhook::verify('{"a":1}', $headers, $secret, now: 1));
        }
    },
];

$failed = 0;
foreach ($tests as $name => $test) {
    try {
        $test();
        echo "ok $name\n";
    } catch (Throwable $thrown) {
        ++$failed;
        echo "FAILED $name: {$thrown->getMessage()} ({$thrown->getFile()}:{$thrown->getLine()})\n";
    }
}
exit($failed === 0 ? 0 : 1);
