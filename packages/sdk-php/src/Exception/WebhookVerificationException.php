<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** A webhook has an invalid signature, or is too old. */
final class WebhookVerificationException extends UprezException
{
}
