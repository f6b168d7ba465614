<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** 402: the plan or the API key has no credits left. */
final class QuotaExceededException extends ApiException
{
}
