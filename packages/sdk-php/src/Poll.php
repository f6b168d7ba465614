<?php

declare(strict_types=1);

namespace Uprez;

use Uprez\Exception\WaitTimeoutException;

/**
 * Polling.
 *
 * @internal
 */
final class Poll
{
    private const FIRST_S = 0.25;
    private const GROWTH = 1.5;
    private const MAX_S = 5.0;

    /**
     * Poll at increasing intervals until the value is final.
     *
     * @template T of Job|Batch
     *
     * @param T             $last
     * @param callable(): T $ask
     *
     * @return T
     *
     * @throws WaitTimeoutException
     */
    public static function until(Job|Batch $last, callable $ask, float $timeout): Job|Batch
    {
        $deadline = hrtime(true) / 1e9 + $timeout;
        $pause = self::FIRST_S;
        while (!$last->isFinal()) {
            $left = $deadline - hrtime(true) / 1e9;
            if ($left <= 0) {
                $message = "Not finished within $timeout seconds. Processing continues.";
                throw new WaitTimeoutException($message, 'wait_timeout');
            }
            self::sleep(min($pause * random_int(80, 120) / 100, $left));
            $pause = min($pause * self::GROWTH, self::MAX_S);
            $last = $ask();
        }
        return $last;
    }

    public static function sleep(float $seconds): void
    {
        usleep((int) ceil($seconds * 1e6));
    }
}
