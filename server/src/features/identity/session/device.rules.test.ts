import { randomBytes } from 'node:crypto'
import { b64u } from '@aisle/contract/identity/signin'
import { expect, test } from 'vitest'
import { DEVICE_LIVES_S, deviceCookie, deviceIn } from './device.rules'

const key = randomBytes(32)
const now = new Date('2026-03-02T08:00:00Z')
const id = b64u(randomBytes(16))
const cookie = deviceCookie(key, 'admin', id, now)

test('a device cookie is good for its account, for 180 days', () => {
  expect(deviceIn(key, cookie, 'admin', now)).toBe(id)
  const nearlyOver = new Date(now.getTime() + DEVICE_LIVES_S * 1000 - 1)
  expect(deviceIn(key, cookie, 'admin', nearlyOver)).toBe(id)
  expect(deviceIn(key, cookie, 'admin', new Date(nearlyOver.getTime() + 1))).toBeNull()
})

test('for another account, another server, prolonged, made up or missing, it is none', () => {
  const [v, , ends, mac] = cookie.split('.')
  expect(deviceIn(key, cookie, 'adm1n', now)).toBeNull()
  expect(deviceIn(randomBytes(32), cookie, 'admin', now)).toBeNull()
  expect(deviceIn(key, [v, id, `${Number(ends) + 1}`, mac].join('.'), 'admin', now)).toBeNull()
  expect(deviceIn(key, [v, b64u(randomBytes(16)), ends, mac].join('.'), 'admin', now)).toBeNull()
  expect(deviceIn(key, 'v1.x.y.z', 'admin', now)).toBeNull()
  expect(deviceIn(key, null, 'admin', now)).toBeNull()
})
