<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** 402: the plan or the key has no units left. */
final class QuotaExceededException extends ApiException
{
}
