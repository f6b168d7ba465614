<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** 429: too many requests, after all retries. */
final class RateLimitException extends ApiException
{
}
