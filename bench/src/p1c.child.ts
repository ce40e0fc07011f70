import { downTopic } from '@aisle/contract/device/topics'
import { openPool } from '../../server/src/db/pool'
import { machineGate } from '../../server/src/features/device/link/gate'
import { startGateway } from '../../server/src/features/device/link/gateway'
import type { MachineGate } from '../../server/src/kernel/machineLink'
import { startBus } from '../../server/src/transport/live/bus'
import { openEmbeddedBroker } from '../../server/src/transport/mqtt/embedded'
import { servicesOn } from './kit/sales'
import { freePort } from './kit/server'

/** One side of P1c and P1d, named by its first argument; the second is where its database is. */
const [side = '', url = ''] = process.argv.slice(2)

const port = await freePort()

/** Broker and gateway as the server runs them. */
async function ours(): Promise<void> {
  const pool = openPool(url, 4, () => undefined)
  const services = servicesOn(pool)
  const link = await openEmbeddedBroker('127.0.0.1', port, machineGate(services))
  startGateway(services, link, await startBus(url, services.log))
}

/** The same broker, which answers each message at once and keeps nothing. */
async function echo(): Promise<void> {
  const anybody: MachineGate = {
    mayConnect: async () => true,
    onForbidden: () => undefined,
    onTooLarge: () => undefined,
  }
  const link = await openEmbeddedBroker('127.0.0.1', port, anybody)
  link.onMessage(({ payload, sender }) => {
    const { msgId } = JSON.parse(payload.toString()) as { msgId: string }
    link.publish(downTopic(sender ?? '', 'ack'), JSON.stringify({ acks: [{ msgId, state: 'processed' }] }))
  })
}

await (side === 'ours' ? ours() : echo())
process.send?.(port)
