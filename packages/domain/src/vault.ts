import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts secrets that must stay readable: authenticator secrets and the SMTP password. Signs links. */
export type Vault = {
  /** `purpose` binds a sealed text to its use: it opens for the same purpose only. */
  seal: (text: string, purpose: string) => string;
  /** Throws for a text that another key, or for another purpose, sealed. */
  unseal: (sealed: string, purpose: string) => string;
  /** The text sealed with the current secret; undefined if it is already. Throws as `unseal` does. */
  reseal: (sealed: string, purpose: string) => string | undefined;
  /** The signature of a text, which only this installation can make for this purpose (HMAC-SHA-256). */
  sign: (text: string, purpose: string) => Buffer;
  /** The signatures of a text under every secret, to verify one. */
  signatures: (text: string, purpose: string) => Buffer[];
};

/**
 * A vault under the installation's VAULT_SECRET. The current secret seals and signs. The others, of before a rotation, only
 * unseal and verify.
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

/** Keys that are derived from a secret (HKDF-SHA-256); AES-256-GCM, a fresh nonce each time. */
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
