<?php

declare(strict_types=1);

namespace Uprez;

use InvalidArgumentException;
use Uprez\Exception\WebhookVerificationException;

/** Whether a webhook is real (Standard Webhooks, https://www.standardwebhooks.com). */
final class Webhook
{
    /**
     * The event in a webhook that Uprez sent.
     *
     * @param string                             $payload   the body as it came: file_get_contents('php://input')
     * @param array<string, string|list<string>> $headers   getallheaders(), $_SERVER or those of PSR-7
     * @param string|list<string>                $secrets   one, or several while they are exchanged
     * @param int                                $tolerance seconds that its time may differ from ours
     *
     * @return array<string, mixed>
     *
     * @throws WebhookVerificationException answer 400 then
     */
    public static function verify(
        string $payload,
        array $headers,
        string|array $secrets,
        int $tolerance = 300,
        ?int $now = null,
    ): array {
        $given = self::normalise($headers);
        $id = $given['webhook-id'] ?? '';
        $timestamp = $given['webhook-timestamp'] ?? '';
        if ($id === '' || preg_match('/^\d{1,15}$/D', $timestamp) !== 1) {
            throw new WebhookVerificationException('The headers are missing or odd.', 'invalid_signature');
        }
        if (!self::isSigned("$id.$timestamp.$payload", $given['webhook-signature'] ?? '', (array) $secrets)) {
            throw new WebhookVerificationException('The signature is wrong.', 'invalid_signature');
        }
        if (abs(($now ?? time()) - (int) $timestamp) > $tolerance) {
            throw new WebhookVerificationException('Too old, or from the future.', 'timestamp_outside_tolerance');
        }
        return json_decode($payload, true, flags: JSON_THROW_ON_ERROR);
    }

    /** @param list<string> $secrets */
    private static function isSigned(string $content, string $signatures, array $secrets): bool
    {
        $isSigned = false;
        foreach ($secrets as $secret) {
            $key = base64_decode(str_starts_with($secret, 'whsec_') ? substr($secret, 6) : $secret, true);
            if ($key === false || $key === '') {
                throw new InvalidArgumentException('A webhook secret looks like "whsec_" and base64.');
            }
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', $content, $key, true));
            foreach (explode(' ', $signatures) as $signature) {
                $isSigned = hash_equals($expected, $signature) || $isSigned;
            }
        }
        return $isSigned;
    }

    /**
     * @param array<string, string|list<string>> $headers
     *
     * @return array<string, string>
     */
    private static function normalise(array $headers): array
    {
        $given = [];
        foreach ($headers as $name => $value) {
            $plain = preg_replace('/^http-/', '', str_replace('_', '-', strtolower((string) $name)));
            $given[$plain] = is_array($value) ? implode(' ', $value) : (string) $value;
        }
        return $given;
    }
}
