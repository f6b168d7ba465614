<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** 403: the plan or the API key doesn't allow this. */
final class PermissionDeniedException extends ApiException
{
}
