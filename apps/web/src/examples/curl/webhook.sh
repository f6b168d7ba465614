#!/bin/sh
# Verifies a webhook. The arguments are the headers webhook-id, webhook-timestamp, and
# webhook-signature: sh webhook.sh ID TIMESTAMP SIGNATURE < body.json
set -e
secret=whsec_YOUR_SECRET

# Reject timestamps that are not numbers, because the shell would evaluate them.
case "$2" in '' | 0* | *[!0-9]* | ????????????*) echo "too old" >&2; exit 1 ;; esac
age=$(($(date +%s) - $2))
[ "${age#-}" -le 300 ] || { echo "too old" >&2; exit 1; }

bytes=$(echo "${secret#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
expected=$({ printf '%s.%s.' "$1" "$2"; cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$bytes" -binary | base64)

# During a secret rotation, the header contains two signatures.
case " $3 " in
  *" v1,$expected "*) echo valid ;;
  *) echo "invalid signature" >&2; exit 1 ;;
esac
