<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** A webhook that was not sent by Uprez, or too long ago. */
final class WebhookVerificationException extends UprezException
{
}
