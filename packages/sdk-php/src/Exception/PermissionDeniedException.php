<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** 403: the plan or the key does not include this. */
final class PermissionDeniedException extends ApiException
{
}
