import { Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
/** Telephones' clocks are off by some seconds, and typing takes some: one step before and after is taken too. */
const WINDOW = 1
const shape = { algorithm: 'SHA1', digits: 6, period: PERIOD_S } as const

/** What a QR code of ours holds (web/src/ui/control/qr.ts). */
const LONGEST_URI = 106
const ISSUER = 'Aisle'

/** 160 bits, as RFC 4226 recommends. */
export const newSecret = (): string => new Secret({ size: 20 }).base32

/** @returns the time step that the code belongs to; null when it is none of now */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), timestamp, window: WINDOW, ...shape })
  return delta === null ? null : TOTP.counter({ period: PERIOD_S, timestamp }) + delta
}

/** For an authenticator app; the account is shortened where the picture would not hold it. */
export function uriOf(secret: string, account: string): string {
  const uri = (label: string) => `otpauth://totp/${encodeURIComponent(label)}?secret=${secret}&issuer=${ISSUER}`
  const signs = [...account]
  while (uri(signs.join('')).length > LONGEST_URI) signs.pop()
  return uri(signs.join(''))
}
