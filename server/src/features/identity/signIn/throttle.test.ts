import { getCheckCode, onLogin } from '@aisle/contract/identity/session'
import { clientProof, passwordField } from '@aisle/contract/identity/signin'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '../../../kernel/refuse'
import { call, codeOf, finish, type Identity, makeUser, openIdentity, type Place, prepare, signInAs } from '../testing'

let identity: Identity
let nextSubnet = 0
const elsewhere = (): Place & { ip: string } => {
  nextSubnet += 1
  return { ip: `10.${nextSubnet >> 8}.${nextSubnet & 255}.1` }
}
const guess = async (account: string, place: Place) => {
  const prepared = await prepare(identity, account, 'guess', place)
  return codeOf(finish(identity, prepared, place))
}
const at = (s: number) => new Date(identity.clock.at.getTime() + s * 1000)
const count = async (account: string, outcome: string) => {
  const found = await sql<{ count: number }>`select count(*) as count from sign_in_log
    where account = ${account} and outcome = ${outcome}`.execute(identity.pool.db)
  return found.rows[0]?.count
}

beforeAll(async () => {
  identity = await openIdentity()
})
afterAll(() => identity.close())

test('of a day of guesses from everywhere at most 100 are looked at, and the owner’s device gets in', async () => {
  await makeUser(identity, 'admin', 'secret')
  const home = { ip: '198.51.100.9' }
  const { deviceCookie } = await signInAs(identity, 'admin', 'secret', home)
  let signedIn = 0
  for (let minute = 0; minute < 24 * 60; minute += 5) {
    const now = at(minute * 60)
    const place = { ip: `10.${100 + (minute % 125)}.${minute % 8}.1`, now }
    expect(await guess('admin', place)).toBe('signIn.wrong')
    if (minute % 60 !== 0) continue
    // The owner's device comes from the attackers' own subnet, to make it hard.
    const { answer } = await signInAs(identity, 'admin', 'secret', { ...place, deviceCookie })
    signedIn += answer.code === '' ? 1 : 0
  }
  expect(signedIn).toBe(24)
  const [looked, turnedAway] = [await count('admin', 'wrong'), await count('admin', 'throttled')]
  expect(looked).toBeLessThanOrEqual(100)
  expect(looked).toBeGreaterThan(50)
  expect((looked ?? 0) + (turnedAway ?? 0)).toBe(288)
}, 60_000)

test('while an account waits, the right password from a new device is answered like a wrong one', async () => {
  await makeUser(identity, 'waiting', 'secret')
  for (let i = 0; i < 5; i += 1) await guess('waiting', elsewhere())
  const place = elsewhere()
  expect(await codeOf(finish(identity, await prepare(identity, 'waiting', 'secret', place), place))).toBe(
    'signIn.wrong',
  )
  expect(await count('waiting', 'throttled')).toBe(1)
  const later = { ...place, now: at(30) }
  expect((await signInAs(identity, 'waiting', 'secret', later)).answer.code).toBe('')
  expect((await call(identity.contextAt(elsewhere()), getCheckCode, { account: 'waiting' })).mode).toBe('auto')
})

test('an account that isn’t there waits just the same', async () => {
  for (let i = 0; i < 6; i += 1) expect(await guess('ghost', elsewhere())).toBe('signIn.wrong')
  expect([await count('ghost', 'wrong'), await count('ghost', 'throttled')]).toEqual([5, 1])
})

test('a device has its own ten tries, that count for nobody else', async () => {
  await makeUser(identity, 'owner', 'secret')
  const { deviceCookie } = await signInAs(identity, 'owner', 'secret', elsewhere())
  for (let i = 0; i < 11; i += 1) await guess('owner', { ...elsewhere(), deviceCookie })
  expect([await count('owner', 'wrong'), await count('owner', 'throttled')]).toEqual([10, 1])
  expect((await signInAs(identity, 'owner', 'secret', elsewhere())).answer.code).toBe('')
})

test('a device cookie of one account opens no trusted path to another', async () => {
  await makeUser(identity, 'first', 'secret')
  await makeUser(identity, 'second', 'secret')
  const { deviceCookie } = await signInAs(identity, 'first', 'secret', elsewhere())
  for (let i = 0; i < 5; i += 1) await guess('second', { ...elsewhere(), deviceCookie })
  const place = { ...elsewhere(), deviceCookie }
  expect(await codeOf(finish(identity, await prepare(identity, 'second', 'secret', place), place))).toBe('signIn.wrong')
})

test('a device keeps its number when it signs in again', async () => {
  await makeUser(identity, 'again', 'secret')
  const first = await signInAs(identity, 'again', 'secret', elsewhere())
  const second = await signInAs(identity, 'again', 'secret', {
    ...elsewhere(),
    deviceCookie: first.deviceCookie,
    now: at(60),
  })
  expect(second.deviceCookie?.split('.')[1]).toBe(first.deviceCookie?.split('.')[1])
  expect(second.deviceCookie).not.toBe(first.deviceCookie)
})

test('a subnet that fails 30 times must slow down, whichever accounts it tries', async () => {
  const { ip } = elsewhere()
  const neighbour = (i: number) => ({ ip: ip.replace(/1$/, String(i)) })
  for (let i = 0; i < 30; i += 1) expect(await guess(`many${i}`, neighbour(i))).toBe('signIn.wrong')
  expect(await guess('many31', neighbour(77))).toBe('signIn.slowDown')
  expect(await guess('many31', { ...neighbour(77), now: at(5) })).toBe('signIn.wrong')
  expect(await guess('many31', elsewhere())).toBe('signIn.wrong')
})

test('a subnet that tries 21 accounts gets pictures for its neighbours too', async () => {
  const { ip } = elsewhere()
  const neighbour = (i: number) => ({ ip: ip.replace(/1$/, String(i)) })
  const modeFor = async (i: number) => (await call(identity.contextAt(neighbour(i)), getCheckCode, {})).mode
  for (let i = 0; i < 20; i += 1) await guess(`sprayed${i}`, neighbour(i))
  expect(await modeFor(99)).toBe('auto')
  await guess('sprayed20', neighbour(20))
  expect(await modeFor(99)).toBe('typed')
})

test('no flipped bit of what is sent is accepted, and none is a bug', async () => {
  await makeUser(identity, 'flip', 'secret')
  const flipped = (text: string, bit: number) => {
    const bytes = Buffer.from(text)
    const byte = (bit >> 3) % bytes.length
    bytes.writeUInt8(bytes.readUInt8(byte) ^ (1 << (bit & 7)), byte)
    return bytes.toString()
  }
  const field = fc.constantFrom('account', 'password', 'checkCode', 'origin')
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(field, fc.nat(), async (name, bit) => {
      const place = elsewhere()
      // A day apart, so that the throttle is never what refuses.
      identity.clock.at = at(24 * 3600)
      const it = await prepare(identity, 'flip', 'secret', place)
      const honest = {
        account: 'flip',
        password: passwordField(it.cid, clientProof(it.keys, it.am)),
        checkCode: it.checkCode,
      }
      const origin = name === 'origin' ? flipped('https://aisle.example', bit) : 'https://aisle.example'
      const sent = name === 'origin' ? honest : { ...honest, [name]: flipped(honest[name], bit) }
      const isSameMeaning =
        sent.account.trim().toLowerCase() === 'flip' && sent.checkCode.toUpperCase() === it.checkCode
      if (isSameMeaning && (name === 'account' || name === 'checkCode')) return
      const parsed = onLogin.input.safeParse(sent)
      if (!parsed.success) return
      const outcome = await call(identity.contextAt({ ...place, origin }), onLogin, parsed.data).then(
        () => 'accepted',
        (thrown: unknown) => (thrown instanceof Refusal ? 'refused' : 'a bug'),
      )
      accepted += outcome === 'accepted' ? 1 : 0
      expect(outcome).toBe('refused')
    }),
    { numRuns: 150, seed: Number(process.env.SEED ?? 1) },
  )
  expect(accepted).toBe(0)
}, 60_000)
