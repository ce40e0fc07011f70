import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AuthKeys } from '../../../kernel/context'

/**
 * Keyed hashes of the public page: nobody walks the machines by counting their codes, nobody guesses a case, and what
 * is kept of numbers and networks says nothing without the key file. Other keys mean other codes, printed anew.
 */
const keyed = ({ auth }: AuthKeys, about: string, text: string): Buffer =>
  createHmac('sha256', auth).update(`aisle customer ${about}\n`).update(text).digest()

const SIGNED = 8

/** `<machine>-<signature>`, as it stands in the code on the machine. */
export const codeOf = (keys: AuthKeys, machineCode: string): string =>
  `${machineCode}-${signatureOf(keys, machineCode)}`

/** @returns the machine's code; null for what nobody here has signed */
export function machineIn(keys: AuthKeys, code: string): string | null {
  const at = code.lastIndexOf('-')
  if (at < 1 || code.length > 100) return null
  const machineCode = code.slice(0, at)
  const said = Buffer.from(code.slice(at + 1))
  const right = Buffer.from(signatureOf(keys, machineCode))
  return said.length === right.length && timingSafeEqual(said, right) ? machineCode : null
}

/** Of 32 letters and digits that nobody mistakes for one another: 40 bits. */
function signatureOf(keys: AuthKeys, machineCode: string): string {
  const bytes = keyed(keys, 'machine', machineCode)
  return [...bytes.subarray(0, SIGNED)].map((byte) => '23456789abcdefghjkmnpqrstuvwxyz0'[byte % 32]).join('')
}

/** The address of a case; the same form sent twice has the same. 128 bits. */
export const tokenOf = (keys: AuthKeys, form: string): string =>
  keyed(keys, 'case', form).subarray(0, 16).toString('base64url')

export const phoneHashOf = (keys: AuthKeys, phone: string): Buffer => keyed(keys, 'phone', phone)
export const callerOf = (keys: AuthKeys, network: string): Buffer => keyed(keys, 'network', network)
