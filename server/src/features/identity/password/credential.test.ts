import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openCredential, saltFor, sealCredential } from './credential'

const keys = { auth: randomBytes(32), salt: Buffer.alloc(32, 7) }
const opened = { storedKey: randomBytes(32), serverKey: randomBytes(32) }

test('what is sealed opens again, for its own user, and never looks the same twice', () => {
  const sealed = sealCredential(keys, 7, opened)
  expect(openCredential(keys, 7, sealed)).toEqual(opened)
  expect(sealed.storedKey).toHaveLength(12 + 32 + 16)
  expect(sealCredential(keys, 7, opened).storedKey).not.toEqual(sealed.storedKey)
})

test('without the key file, for another user, with swapped columns or a flipped bit, nothing opens', () => {
  const sealed = sealCredential(keys, 7, opened)
  const flipped = Buffer.from(sealed.storedKey)
  flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20)
  expect(() => openCredential({ auth: randomBytes(32) }, 7, sealed)).toThrow()
  expect(() => openCredential(keys, 8, sealed)).toThrow()
  expect(() => openCredential(keys, 7, { storedKey: sealed.serverKey, serverKey: sealed.storedKey })).toThrow()
  expect(() => openCredential(keys, 7, { ...sealed, storedKey: flipped })).toThrow()
})

test('a salt is the account’s own and always the same', () => {
  expect(saltFor(keys, 'admin')).toEqual(saltFor(keys, 'admin'))
  expect(saltFor(keys, 'admin')).toHaveLength(16)
  expect(saltFor(keys, 'admin')).not.toEqual(saltFor(keys, 'admin2'))
  expect(saltFor({ salt: randomBytes(32) }, 'admin')).not.toEqual(saltFor(keys, 'admin'))
})
