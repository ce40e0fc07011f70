import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { connectDevice, type Device } from '../../../fleet/src/link/client'
import { type Account, query, type RunningServer, startSeeded } from './harness'

export type Slot = {
  code: string
  product: string
  priceFen: number
  stock: number
  fault?: unknown
  isLocked?: boolean
}
/** `codes`: what its customers were given to pick up. */
export type Machine = { code: string; secret: string; category: string; slots: Slot[]; codes?: string[] }

/** The demo network's machines, with the secrets they sign in with. */
export const machinesOf = (server: RunningServer): Machine[] =>
  JSON.parse(readFileSync(join(server.place.dataDir, 'demo/fleet.json'), 'utf8')).machines

/** A demo network whose machines are switched off: what they say, a test says for them. */
export const startQuietServer = (): Promise<RunningServer> => startSeeded({ DEMO: '0' })

/** As a real machine does, it tries until it is let in: a database that is being restarted lets nobody in. */
export async function switchOn(server: RunningServer, { code, secret }: Machine): Promise<Device> {
  const devices: Device[] = []
  await expect(async () => {
    devices.push(await connectDevice({ url: server.mqttUrl, code, secret }))
  }).toPass({ timeout: 30_000, intervals: [100] })
  const [device] = devices
  if (!device) throw new Error('the machine was never let in')
  await device.send('presence', { online: true })
  return device
}

/** Machines of food and drink: what they sell needs no licence. */
export const shopsOf = (server: RunningServer): Machine[] =>
  machinesOf(server).filter(({ category }) => category !== 'medicine')

/** One of them. */
export function shopOf(server: RunningServer): Machine {
  const [shop] = shopsOf(server)
  if (!shop) throw new Error('the demo network has no shop')
  return shop
}

/** Shops that somebody sees who does not see all. */
export async function shopsSeenBy(server: RunningServer, account: Account): Promise<Machine[]> {
  const seen = await query<{ code: string }>(
    server,
    `select m.code from machine m join machine_grant_user g on g.machine_id = m.id
      join app_user u on u.id = g.user_id where u.account = $1`,
    [account],
  )
  const codes = new Set(seen.map(({ code }) => code))
  return shopsOf(server).filter(({ code }) => codes.has(code))
}

/** A slot that sells. */
export function sellingSlot({ slots }: Machine): Slot {
  const slot = slots.find(
    (each) => each.product && each.priceFen > 0 && each.stock > 3 && !each.fault && !each.isLocked,
  )
  if (!slot) throw new Error('no slot of this machine sells')
  return slot
}

/** What a machine that takes cash says after it has sold a piece. */
export const cashSale = ({ code, product, priceFen }: Slot, orderNo = `T-${randomUUID().slice(0, 8)}`) => ({
  orderNo,
  method: 'cash',
  paidFen: priceFen,
  items: [{ slot: code, product, priceFen, ok: true }],
})
