import { createHash } from 'node:crypto'
import { deviceIn } from '../session/device.rules'
import { subnetOf } from './subnet.rules'
import type { CounterKind } from './throttle.rules'

/** Who tries to sign in as whom, and where a failure will be counted. */
export type Attempt = {
  account: string
  accountHash: Buffer
  /** Null unless the device signed in as this account before. */
  deviceId: string | null
  subnet: string
  own: { kind: Extract<CounterKind, 'account' | 'device'>; key: string }
  addressKey: string
  subnetKey: string
}

/** Set by a job for the platform as a whole. */
export const SYSTEM_KEY = 'system'

/** Of the counter that all devices share which never signed in as the account. Hashed, since people type long ones. */
export const accountKeyOf = (account: string): string =>
  `account|${createHash('sha256').update(account).digest('base64url')}`

/** @param account as `normaliseAccount` gives it */
export function attemptOf(
  from: { ip: string; deviceCookie: string | null; deviceKey: Buffer; now: Date },
  account: string,
): Attempt {
  const deviceId = deviceIn(from.deviceKey, from.deviceCookie, account, from.now)
  const accountHash = createHash('sha256').update(account).digest()
  const subnet = subnetOf(from.ip)
  return {
    account,
    accountHash,
    deviceId,
    subnet,
    own: deviceId ? { kind: 'device', key: `device|${deviceId}` } : { kind: 'account', key: accountKeyOf(account) },
    addressKey: `address|${from.ip}`,
    subnetKey: `subnet|${subnet}`,
  }
}
