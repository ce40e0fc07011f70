import { randomBytes, randomUUID } from 'node:crypto'
import { upTopic } from '@aisle/contract/device/topics'
import pino from 'pino'
import { decode, type Incoming } from '../../../server/src/features/device/link/decode'
import type { Services } from '../../../server/src/kernel/context'
import { ingest } from '../../../server/src/features/device/link/ingest'
import { filesIn } from '../../../server/src/kernel/files/store'
import { systemClock } from '../../../server/src/kernel/clock'
import type { Pool } from '../../../server/src/db/pool'
import type { Size, Slot } from './network'
import { timed } from './rounds'

/** What the gateway takes into one transaction. */
export const BATCH = 1_000
const BATCHES = 20
/** Sales of one round. */
export const ROUND = BATCH * BATCHES
export const network: Size = { merchants: 20, machines: 500, products: 50, slots: 10 }

/** Batch after batch on one connection, as the gateway takes them. @returns orders a second */
export async function ingestRate(services: Services, slots: readonly Slot[]): Promise<number> {
  const batches = Array.from({ length: BATCHES }, () => makeSales(slots, BATCH))
  const seconds = await timed(async () => {
    for (const batch of batches) await ingest(services, batch)
  })
  return ROUND / seconds
}

export function servicesOn(pool: Pool): Services {
  const key = () => randomBytes(32)
  return {
    db: pool.db,
    clock: systemClock,
    log: pino({ level: 'warn' }),
    keys: { id: 'bench', auth: key(), salt: key(), fake: key(), device: key() },
    dataDir: '',
    files: filesIn(''),
  }
}

/** Those that need nothing bought before, as a card's balance would be. */
const methods = ['alipay', 'wechat', 'unionpay', 'cash'] as const
let sold = 0
/** How far each machine has counted: one that passes numbers over has gaps to be kept account of. */
const counted = new Map<string, number>()

/** As many sales as asked for, as the gateway hands them on: checked, hashed, one item each, spread over all slots. */
export function makeSales(slots: readonly Slot[], count: number): Incoming[] {
  // A step without a common divisor visits every machine before it comes back to the first.
  const at = new Date()
  return Array.from({ length: count }, (_, i) => {
    const slot = slots[(i * 7_919) % slots.length]
    const method = methods[i % methods.length]
    if (!slot || !method) throw new RangeError('no slots to sell from')
    return saleOf(slot, method, at)
  })
}

function saleOf({ machine, slot, product }: Slot, method: string, at: Date): Incoming {
  sold += 1
  const seq = (counted.get(machine) ?? 0) + 1
  counted.set(machine, seq)
  const occurredAt = new Date(at.getTime() - (sold % 3_600_000)).toISOString()
  const envelope = {
    v: 1,
    machineId: machine,
    msgId: randomUUID(),
    bootId: 'bench',
    seq,
    offline: false,
    occurredAt,
    sentAt: at.toISOString(),
  }
  const data = {
    orderNo: `B-${sold}`,
    method,
    paidFen: 500,
    items: [{ slot, product, priceFen: 500, ok: true, motorCode: '100', sensorCode: '01' }],
  }
  const payload = Buffer.from(JSON.stringify({ ...envelope, type: 'sale', data }))
  const decoded = decode({ topic: upTopic(machine, 'sale'), payload, sender: machine }, at)
  if (!decoded.ok) throw new Error(`a sale that can't be read: ${decoded.unreadable.detail}`)
  return decoded.message
}
