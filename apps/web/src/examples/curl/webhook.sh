#!/bin/sh
# Is it from us? sh webhook.sh ID TIMESTAMP SIGNATURE < body.json
set -e
secret=whsec_YOUR_SECRET

age=$(($(date +%s) - $2))
[ "${age#-}" -le 300 ] || { echo "too old" >&2; exit 1; }

bytes=$(echo "${secret#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
expected=$({ printf '%s.%s.' "$1" "$2"; cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$bytes" -binary | base64)

# While a secret is being replaced there are two signatures.
case " $3 " in
  *" v1,$expected "*) echo genuine ;;
  *) echo forged >&2; exit 1 ;;
esac
