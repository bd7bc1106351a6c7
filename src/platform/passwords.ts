import { bytesOf } from '../kernel/base64.ts'
import { sameText } from './crypto.ts'

/*
 * Passwords that a merchant gives out to buyers, as hashes. Those of accounts are functions/account/auth's. PBKDF2 with
 * HMAC-SHA256 in 100,000 rounds: the most that Workers' Web Crypto takes.
 */
const rounds = 100_000
const saltBytes = 16
const form = 'pbkdf2-sha256'

/** `pbkdf2-sha256.<rounds>.<salt>.<hash>`, the last two in base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes))
  return [form, rounds, base64(salt), base64(await derived(password, salt, rounds))].join('.')
}

/** Compares in constant time. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, count = '', salt = '', stored = ''] = hash.split('.')
  return sameText(base64(await derived(password, bytesOf(salt), Number(count))), stored)
}

async function derived(password: string, salt: Uint8Array<ArrayBuffer>, iterations: number) {
  const text = new TextEncoder().encode(password.normalize('NFC'))
  const key = await crypto.subtle.importKey('raw', text, 'PBKDF2', false, ['deriveBits'])
  const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256)
  return new Uint8Array(bits)
}

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
