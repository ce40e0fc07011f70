import { createHmac } from 'node:crypto'
import { equalBytes } from '@aisle/contract/identity/signin'

export const DEVICE_LIVES_S = 180 * 24 * 3600

/**
 * What a browser keeps after signing in: that it did, for this account. It opens nothing; its failures are counted
 * apart, so that strangers who guess at an account can't lock its owner out (OWASP, device cookies).
 */
export function deviceCookie(key: Buffer, account: string, deviceId: string, now: Date): string {
  const endsS = Math.floor(now.getTime() / 1000) + DEVICE_LIVES_S
  return `v1.${deviceId}.${endsS}.${mac(key, account, deviceId, endsS).toString('base64url')}`
}

/** @returns the device's id when the cookie is ours, for this account and still good */
export function deviceIn(key: Buffer, cookie: string | null, account: string, now: Date): string | null {
  const [, deviceId = '', ends = '', sent = ''] = /^v1\.([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/.exec(cookie ?? '') ?? []
  const isOurs = equalBytes(mac(key, account, deviceId, Number(ends)), Buffer.from(sent, 'base64url'))
  return isOurs && Number(ends) * 1000 > now.getTime() ? deviceId : null
}

const mac = (key: Buffer, account: string, deviceId: string, endsS: number) =>
  createHmac('sha256', key).update(`device|v1|${deviceId}|${endsS}|${account}`).digest()
