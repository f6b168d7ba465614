<?php

declare(strict_types=1);

namespace Uprez;

use InvalidArgumentException;
use Uprez\Exception\WebhookVerificationException;

/** Webhook verification (Standard Webhooks, https://www.standardwebhooks.com). */
final class Webhook
{
    /**
     * Verify a webhook and return its event.
     *
     * @param string                             $payload   the unmodified body: file_get_contents('php://input')
     * @param array<string, string|list<string>> $headers   getallheaders(), $_SERVER, or PSR-7 headers
     * @param string|list<string>                $secrets   one secret, or several during a rotation
     * @param int                                $tolerance maximum difference of the clocks in seconds
     *
     * @return array<string, mixed>
     *
     * @throws WebhookVerificationException respond with 400 in this case
     */
    public static function verify(
        string $payload,
        array $headers,
        string|array $secrets,
        int $tolerance = 300,
        ?int $now = null,
    ): array {
        $given = self::normalize($headers);
        $id = $given['webhook-id'] ?? '';
        $timestamp = $given['webhook-timestamp'] ?? '';
        if ($id === '' || preg_match('/^\d{1,15}$/D', $timestamp) !== 1) {
            throw new WebhookVerificationException('The webhook headers are missing or invalid.', 'invalid_signature');
        }
        if (!self::isSigned("$id.$timestamp.$payload", $given['webhook-signature'] ?? '', (array) $secrets)) {
            throw new WebhookVerificationException("The webhook signature doesn't match.", 'invalid_signature');
        }
        if (abs(($now ?? time()) - (int) $timestamp) > $tolerance) {
            $message = 'The webhook timestamp is outside the tolerance.';
            throw new WebhookVerificationException($message, 'timestamp_outside_tolerance');
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
                throw new InvalidArgumentException('A webhook secret is "whsec_" followed by base64.');
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
    private static function normalize(array $headers): array
    {
        $given = [];
        foreach ($headers as $name => $value) {
            $plain = preg_replace('/^http-/', '', str_replace('_', '-', strtolower((string) $name)));
            $given[$plain] = is_array($value) ? implode(' ', $value) : (string) $value;
        }
        return $given;
    }
}
