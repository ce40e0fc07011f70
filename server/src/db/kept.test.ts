import { afterEach, expect, inject, test } from 'vitest'
import { type Keeping, keepClient } from './kept'
import { asAdmin, freshDatabase } from './testing'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function openKept(begin: Keeping['begin'] = (client) => client.query('select 1')) {
  const { url, drop } = await freshDatabase()
  const name = new URL(url).pathname.slice(1)
  closers.push(drop)
  const told: string[] = []
  const kept = keepClient(url, {
    begin,
    up: (isAgain) => told.push(isAgain ? 'again' : 'up'),
    down: () => told.push('down'),
  })
  closers.push(kept.stop)
  const admin = (statement: string) => asAdmin(inject('testDatabase').url, statement)
  const end = () => admin(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`)
  const goAway = async () => {
    await admin(`alter database ${name} allow_connections false`)
    await end()
  }
  return { kept, told, end, goAway, comeBack: () => admin(`alter database ${name} allow_connections true`) }
}

test('a connection that ended is opened and begun again, and told of once each time', async () => {
  let begun = 0
  const { kept, told, end } = await openKept(async (client) => {
    await client.query('listen anything')
    begun += 1
  })
  await kept.first
  expect([begun, kept.isUp()]).toEqual([1, true])
  await end()
  await expect.poll(() => begun).toBe(2)
  await expect.poll(kept.isUp).toBe(true)
  expect(told).toEqual(['up', 'down', 'again'])
})

test('while the database lets nobody in it is down, and up again when it does', async () => {
  const { kept, told, goAway, comeBack } = await openKept()
  await kept.first
  await goAway()
  await expect.poll(() => told).toEqual(['up', 'down'])
  expect(kept.isUp()).toBe(false)
  await comeBack()
  await expect.poll(kept.isUp).toBe(true)
  expect(told).toEqual(['up', 'down', 'again'])
})

test('a connection that could not be begun is none: the first attempt says why, another follows', async () => {
  let attempts = 0
  const { kept, told } = await openKept((client) => {
    attempts += 1
    return client.query(attempts === 1 ? 'select nothing_of_that_name' : 'select 1')
  })
  await expect(kept.first).rejects.toThrow('nothing_of_that_name')
  await expect.poll(kept.isUp).toBe(true)
  expect(told).toEqual(['up'])
})

test('who stops while it still waits is not kept waiting, and is told nothing more', async () => {
  let isWaiting = false
  const { kept, told } = await openKept((client) => {
    isWaiting = true
    return client.query('select pg_sleep(60)')
  })
  await expect.poll(() => isWaiting).toBe(true)
  await kept.stop()
  await expect(kept.first).rejects.toThrow()
  expect([told, kept.isUp()]).toEqual([[], false])
})
