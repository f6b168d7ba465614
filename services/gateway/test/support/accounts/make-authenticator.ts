import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { NewPasskeyResponse, PasskeyResponse } from '@uprez/contracts/schemas/passkeys';

type Value = number | string | Buffer | Map<number | string, Value>;

/** The head of a CBOR value (RFC 8949): its major type and a length or number below 65,536. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
function cbor(value: Value): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer) => bytes.toString('base64url');

/**
 * `isVerified`: whether the authenticator verified the user, by a PIN or a fingerprint. `counter`: of its signatures, if it isn't
 * the next one.
 */
type Ceremony = { challenge: string; origin?: string; isVerified?: boolean; counter?: number };

/** Returns an authenticator with one ES256 key pair, as phones and security keys have them. */
export function makeAuthenticator(rpId: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  const ids = { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {} } as const;
  let counter = 0;
  let userHandle = '';
  const clientData = (type: string, { challenge, origin = `http://${rpId}` }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authData = ({ isVerified = true, counter: wanted }: Ceremony, credential?: Buffer) => {
    const count = Buffer.alloc(4);
    counter = wanted ?? counter + 1;
    count.writeUInt32BE(counter);
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (credential ? 0x40 : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, credential ?? Buffer.of()]);
  };
  return {
    /** Answers the options of a registration. `owner`: `user.id` of the options. */
    create: (owner: string, ceremony: Ceremony): NewPasskeyResponse => {
      userHandle = owner;
      const key = new Map<number, Value>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(key)]);
      const attestation = new Map<string, Value>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData(ceremony, credential)],
      ]);
      const clientDataJSON = base64url(clientData('webauthn.create', ceremony));
      return { ...ids, response: { clientDataJSON, attestationObject: base64url(cbor(attestation)) } };
    },
    /** Answers the options of a sign-in. */
    get: (ceremony: Ceremony): PasskeyResponse => {
      const client = clientData('webauthn.get', ceremony);
      const data = authData(ceremony);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      const [clientDataJSON, authenticatorData] = [base64url(client), base64url(data)];
      return { ...ids, response: { clientDataJSON, authenticatorData, signature: base64url(signature), userHandle } };
    },
  };
}
