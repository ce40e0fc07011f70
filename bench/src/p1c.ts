import { randomUUID } from 'node:crypto'
import type { Ack } from '@aisle/contract/device/messages'
import { upTopic } from '@aisle/contract/device/topics'
import { connectDevice } from '../../fleet/src/link/client'
import { ingest } from '../../server/src/features/device/link/ingest'
import { startChild } from './kit/child'
import { type Bench, compared, digits, type Line, notMeasured } from './kit/figure'
import { makeNetwork, type Slot } from './kit/network'
import { latenciesOf, noPgbench, pgbenchVersion } from './kit/pgbench'
import { oneOrder } from './p1b'
import { inRotation, timed } from './kit/rounds'
import { BATCH, makeSales, network, servicesOn } from './kit/sales'

const MACHINES = 50
const SALES = 5_000
const SINGLES = 300

/** Machines that tell of sales over MQTT, each until it is acknowledged; and one sale alone, how long it takes. */
export async function p1c({ cluster, rounds }: Bench): Promise<Line[]> {
  const { url, pool, close } = await cluster.fresh('p1c')
  const slots = await makeNetwork(pool.db, network)
  // Their first sales open the merchants' accounts.
  await ingest(servicesOn(pool), makeSales(slots, BATCH))
  const sides = [await startChild('p1c', ['ours', url]), await startChild('p1c', ['echo'])] as const
  const open: Machine[][] = []
  try {
    for (const { port } of sides) open.push(await connect(port, slots))
    const [ours = [], echo = []] = open
    const rateOf = (machines: readonly Machine[]) => async () => SALES / (await timed(() => tellAll(machines, SALES)))
    const measured = await inRotation({ ours: rateOf(ours), anchor: rateOf(echo) }, rounds)
    const what = `sales over MQTT, QoS 1, ${MACHINES} machines`
    const beside = "the broker's bare echo"
    const through = compared({ id: 'P1c', what, beside, unit: 'sales/s', goal: { atLeast: 0.5 } }, measured)
    return [through, await single(url, ours, slots)]
  } finally {
    for (const machine of open.flat()) await machine.close()
    for (const side of sides) await side.stop()
    await close()
  }
}

/** P1d: nothing else is going on; the 99th of a hundred. */
async function single(url: string, machines: readonly Machine[], slots: readonly Slot[]): Promise<Line> {
  const what = 'one sale on an idle system, told to acknowledged, p99'
  if (!pgbenchVersion()) return notMeasured('P1d', what, noPgbench)
  const [machine] = machines
  if (!machine) throw new Error('no machine is connected')
  const times: number[] = []
  for (let i = 0; i < SINGLES; i += 1) times.push(1000 * (await timed(() => machine.tell())))
  const anchor = await latenciesOf(url, oneOrder, { seconds: 5, variables: { slots: slots.length } })
  const [ours, theirs] = [p99(times), p99(anchor)]
  return {
    id: 'P1d',
    what,
    ours: `${digits(ours)} ms`,
    anchor: `one pgbench transaction ${digits(theirs)} ms`,
    value: ours / theirs,
    unit: '×',
    goal: { atMost: 2 },
  }
}

const p99 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN

type Machine = { close: () => Promise<void>; tell: () => Promise<void> }

function connect(port: number, slots: readonly Slot[]): Promise<Machine[]> {
  const first = [...new Map(slots.map((slot) => [slot.machine, slot])).values()].slice(0, MACHINES)
  return Promise.all(first.map((slot) => connectOne(port, slot)))
}

async function connectOne(port: number, { machine: code, slot, product }: Slot): Promise<Machine> {
  const waiting = new Map<string, () => void>()
  const onAcks = (acks: Ack[]) => {
    for (const { msgId } of acks) {
      waiting.get(msgId)?.()
      waiting.delete(msgId)
    }
  }
  const device = await connectDevice({ url: `mqtt://127.0.0.1:${port}`, code, secret: 'bench', onAcks })
  const items = [{ slot, product, priceFen: 500, ok: true, motorCode: '100', sensorCode: '01' }]
  const tell = () =>
    new Promise<void>((done, fail) => {
      const message = device.compose('sale', { orderNo: randomUUID(), method: 'cash', paidFen: 500, items })
      waiting.set(message.msgId, done)
      device.publish(upTopic(code, 'sale'), JSON.stringify(message)).catch(fail)
    })
  return { close: () => device.close(), tell }
}

/** Each machine keeps some on the way, as a replay does. */
async function tellAll(machines: readonly Machine[], count: number): Promise<void> {
  const each = Math.ceil(count / machines.length)
  await Promise.all(
    machines.map(async ({ tell }) => {
      for (let told = 0; told < each; told += 20) {
        await Promise.all(Array.from({ length: Math.min(20, each - told) }, tell))
      }
    }),
  )
}
