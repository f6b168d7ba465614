<?php

declare(strict_types=1);

namespace Uprez;

use Uprez\Exception\WaitTimeoutException;

/**
 * Waiting for work to be done.
 *
 * @internal
 */
final class Poll
{
    private const FIRST_S = 0.25;
    private const GROWTH = 1.5;
    private const LONGEST_S = 5.0;

    /**
     * Ask again, ever less often, until the answer is final.
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
                $says = "Not finished within $timeout seconds; the work goes on.";
                throw new WaitTimeoutException($says, 'wait_timeout');
            }
            self::sleep(min($pause * random_int(80, 120) / 100, $left));
            $pause = min($pause * self::GROWTH, self::LONGEST_S);
            $last = $ask();
        }
        return $last;
    }

    public static function sleep(float $seconds): void
    {
        usleep((int) ceil($seconds * 1e6));
    }
}
