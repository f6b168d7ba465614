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
  /** The signature of a text, which only this installation can make for this purpose (HMAC-SHA-256). */
  sign: (text: string, purpose: string) => Buffer;
};

/** A vault under a key that is derived from the installation's VAULT_SECRET (HKDF-SHA-256); AES-256-GCM, a fresh nonce each time. */
export function openVault(secret: string): Vault {
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
