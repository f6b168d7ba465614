import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts secrets that must stay readable, such as authenticator secrets, webhook secrets, and the SMTP password. Also
 * signs links.
 */
export type Vault = {
  /** The result can only be decrypted for the same `purpose`. */
  seal: (text: string, purpose: string) => string;
  /** Throws if it was sealed with another key or for another purpose. */
  unseal: (sealed: string, purpose: string) => string;
  /**
   * Seals a string again with the current secret. Returns undefined if the string is already sealed with it. Throws
   * like `unseal`.
   */
  reseal: (sealed: string, purpose: string) => string | undefined;
  /** Returns the HMAC-SHA-256 signature of a string for this purpose, which only this installation can create. */
  sign: (text: string, purpose: string) => Buffer;
  /** With the current secret and all previous ones, for verification. */
  signatures: (text: string, purpose: string) => Buffer[];
};

/**
 * Opens a vault with the installation's VAULT_SECRET. `current` seals and signs. `others` are secrets from before a
 * rotation, which only unseal and verify.
 */
export function openVault(current: string, ...others: readonly string[]): Vault {
  const vault = openKey(current);
  const all = [vault, ...others.map(openKey)];
  return {
    seal: vault.seal,
    unseal: (sealed, purpose) => unsealWith(all, sealed, purpose).text,
    reseal: (sealed, purpose) => {
      const { text, key } = unsealWith(all, sealed, purpose);
      return key === vault ? undefined : vault.seal(text, purpose);
    },
    sign: vault.sign,
    signatures: (text, purpose) => all.map((key) => key.sign(text, purpose)),
  };
}

type Key = Pick<Vault, 'seal' | 'unseal' | 'sign'>;

/** Throws the error of the last key. */
function unsealWith([key, ...others]: readonly Key[], sealed: string, purpose: string): { text: string; key: Key } {
  if (!key) throw new Error('A vault needs a secret.');
  try {
    return { text: key.unseal(sealed, purpose), key };
  } catch (error) {
    if (others.length === 0) throw error;
    return unsealWith(others, sealed, purpose);
  }
}

/** Derives the keys from a secret (HKDF-SHA-256). Encrypts with AES-256-GCM and a fresh nonce each time. */
function openKey(secret: string): Key {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'uprez vault', 32));
  const signingKey = Buffer.from(hkdfSync('sha256', secret, '', 'uprez signatures', 32));
  return {
    seal: (text, purpose) => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    unseal: (sealed, purpose) => {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
    },
    sign: (text, purpose) => createHmac('sha256', signingKey).update(`${purpose}\0${text}`).digest(),
  };
}
