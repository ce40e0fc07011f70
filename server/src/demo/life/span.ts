import { sql } from 'kysely'
import { takePaymentAnswers } from '../../features/checkout/public'
import { type Dispatch, takeForSending } from '../../features/device/command/command.store'
import type { Incoming } from '../../features/device/link/decode'
import { sweep } from '../../features/refund/refund.jobs'
import type { DemoDay } from '../calendar'
import { tracePrefix } from '../medicine/medicines'
import { channelNoOf } from '../money/channelNumbers'
import { randomFrom, seedOf } from '../random'
import { answerRefunds } from './decisions'
import type { DemoFill, DemoSale } from './machineDay'
import type { Standing } from './standing'
import { hear, newVoice, say, turned, type Voice } from './wire'
import type { Past } from './within'

type At<T> = T & { standing: Standing }
/** What happened between two moments, everywhere. */
export type Span = { day: DemoDay; boot: string; untilMs: number; sales: At<DemoSale>[]; fills: At<DemoFill>[] }

/** What a day's telling remembers: how far each machine has counted, and what some have still to say. */
export type Telling = { seqs: Map<string, number>; late: { sale: At<DemoSale>; cmdId: string; fromMs: number }[] }

export const newTelling = (): Telling => ({ seqs: new Map(), late: [] })
/** The product gives an order up after some minutes, and its machine is back after that. */
const LATE_MS = 40 * 60_000

/** Lets the machines say what happened, in as many rounds as a sale has, and obey what they are answered. */
export async function playSpan(
  past: Past,
  { day, boot, untilMs, sales, fills }: Span,
  telling: Telling,
): Promise<void> {
  past.at(untilMs)
  const voice = { past, boot, seqs: telling.seqs }
  await hear(
    voice,
    fills.map((fill) => sayFill(voice, fill)),
  )
  const asked = sales.filter(({ method }) => method !== 'cash')
  const requests = asked.map((sale) => ({ sale, message: sayRequest(voice, sale) }))
  const { replies, dispatches } = await hear(
    voice,
    requests.map(({ message }) => message),
  )
  const answers = new Map(
    replies.flatMap(({ machineCode, answer }) => (answer ? [[`${machineCode}/${answer.msgId}`, answer] as const] : [])),
  )
  const open = requests.flatMap(({ sale, message }) => {
    const answer = answers.get(`${message.machineCode}/${message.envelope.msgId}`)
    return answer && 'amountFen' in answer && !answer.isPaid ? [{ sale, ...answer }] : []
  })
  const afterPayment = await payChannels(
    voice,
    open.filter(({ isOffered }) => isOffered).map(({ sale }) => sale),
  )
  const paid = await hear(
    voice,
    open.filter(({ isOffered }) => !isOffered).map(({ sale, amountFen }) => sayPaid(voice, sale, amountFen)),
  )
  const toShip = [...dispatches, ...paid.dispatches, ...afterPayment]
  const byNo = new Map(asked.map((sale) => [`${sale.standing.machine.code}/${sale.orderNo}`, sale]))
  const shipped = toShip.flatMap(({ id, machineCode, type, data }) => {
    const sale = type === 'ship' ? byNo.get(`${machineCode}/${String(data.orderNo)}`) : undefined
    if (sale?.isSilent === 'late') telling.late.push({ sale, cmdId: id, fromMs: untilMs + LATE_MS })
    return sale && !sale.isSilent ? sayShipped(voice, sale, id) : []
  })
  const cash = sales.filter(({ method }) => method === 'cash').map((sale) => sayCash(voice, sale))
  await hear(voice, lastFirst([...shipped, ...cash]))
  past.at(untilMs)
  await sweep(past.services)
  const late = telling.late.filter(({ fromMs }) => fromMs <= untilMs)
  telling.late = telling.late.filter((each) => !late.includes(each))
  await hear(
    voice,
    late.flatMap(({ sale, cmdId }) => sayShipped(voice, sale, cmdId, untilMs)),
  )
  await answerRefunds(past, day, untilMs)
}

/** What follows from a batch is dated by its first message: what is due back was not before what it is due for. */
function lastFirst(batch: readonly Incoming[]): Incoming[] {
  const last = batch.reduce<Incoming | undefined>(
    (latest, each) => (latest && latest.receivedAt > each.receivedAt ? latest : each),
    undefined,
  )
  return last ? [last, ...batch.filter((each) => each !== last)] : []
}

const slotOf = ({ standing }: At<unknown>, at: number) => {
  const slot = standing.slots[at]
  if (!slot?.product) throw new RangeError(`slot ${at} of ${standing.machine.code} sells nothing`)
  return { code: slot.code, product: slot.product.code, priceFen: slot.priceFen ?? 0 }
}

function sayFill(voice: Voice, fill: At<DemoFill>): Incoming {
  const { standing, slot, before, quantity, atMs, lot, coded } = fill
  const { code, product } = slotOf(fill, slot)
  const batch = standing.fillBatch(slot)
  const counted = { before, change: quantity, after: before + quantity, cause: 'fill' as const, user: 'filler' }
  const traceCodes = Array.from({ length: coded }, (_, nth) => traceCode(product, lotCode(standing, lot, slot, nth)))
  const scanned = { ...(batch ? { batch } : {}), ...(batch && coded > 0 ? { traceCodes } : {}) }
  return say(voice, standing.machine.code, 'stock.delta', { slot: code, product, ...counted, ...scanned }, { atMs })
}

function sayRequest(voice: Voice, sale: At<DemoSale>): Incoming {
  const { orderNo, method, items, code, prescription, person, isPlay, occurredMs: atMs } = sale
  const wish = { orderNo, method, items: items.map(({ slot }) => ({ slot: slotOf(sale, slot).code })) }
  const shown = { ...(code ? { code } : {}), ...(prescription ? { prescription } : {}), ...(person ? { person } : {}) }
  const data = { ...wish, ...shown, ...(isPlay ? { isPlay } : {}) }
  return say(voice, sale.standing.machine.code, 'order.request', data, { atMs })
}

/** How long customers take, and motors; the same for each telling of the same sale. */
function pacesOf({ standing, orderNo, occurredMs, method }: At<DemoSale>) {
  const random = randomFrom(seedOf(`${standing.machine.code}/${orderNo}/pace`))
  const isCode = method === 'pickup_code' || method === 'member_card'
  const paidMs = occurredMs + (isCode ? 300 : random.between(5_000, 32_000))
  return { paidMs, heardMs: paidMs + random.between(700, 1_600), turnMs: random.between(4_200, 9_800), random }
}

function sayPaid(voice: Voice, sale: At<DemoSale>, amountFen: number): Incoming {
  const { orderNo, method, standing } = sale
  const { paidMs } = pacesOf(sale)
  const paid = { orderNo, method, amountFen, channelNo: numberOf(sale), basis: 'reader' }
  return say(voice, standing.machine.code, 'pay.result', paid, { atMs: paidMs })
}

const numberOf = ({ standing, orderNo, occurredMs, method }: At<DemoSale>) =>
  channelNoOf(method, `${standing.machine.code}/${orderNo}`, occurredMs)

/** What a channel's notification says of each attempt, and the commands that its machine is sent for it. */
async function payChannels(voice: Voice, sales: readonly At<DemoSale>[]): Promise<Dispatch[]> {
  if (sales.length === 0) return []
  const byNo = new Map(sales.map((sale) => [`${sale.standing.machine.code}-${sale.orderNo}`, sale]))
  const found = await sql<{ orderNo: string; attemptNo: string; amountFen: number }>`
    select a.order_no as "orderNo", a.attempt_no as "attemptNo", a.amount_fen as "amountFen"
    from order_number n join payment_attempt a on a.order_id = n.order_id
    where n.order_no = any(${[...byNo.keys()]}::text[]) order by a.id`.execute(voice.past.tx)
  const said = found.rows.flatMap(({ orderNo, attemptNo, amountFen }) => {
    const sale = byNo.get(orderNo)
    if (!sale) return []
    const { paidMs } = pacesOf(sale)
    const money = { channelNo: numberOf(sale), paidFen: amountFen, paidAt: new Date(paidMs) }
    const answer = { ...money, outcome: 'paid' as const, payUrl: null, code: null }
    return [{ attemptNo, answer, heardAt: new Date(paidMs + 300) }]
  })
  if (said.length === 0) return []
  // A play that was lost is over by this clock, and not before it was paid.
  const lastMs = Math.max(...said.map(({ heardAt }) => heardAt.getTime()))
  voice.past.at(Math.max(lastMs, voice.past.services.clock.now().getTime()))
  await takePaymentAnswers(voice.past.services, said)
  const firstMs = Math.min(...said.map(({ heardAt }) => heardAt.getTime()))
  return takeForSending(voice.past.tx, [...new Set(sales.map(({ standing }) => standing.id))], false, new Date(firstMs))
}

/** Orders that were not asked for at the machine. */
export async function hearShipped(
  past: Past,
  sale: At<DemoSale>,
  { boot, dispatches }: { boot: string; dispatches: readonly Dispatch[] },
): Promise<void> {
  const voice = newVoice(past, boot)
  for (const { id, data } of dispatches)
    await hear(voice, sayShipped(voice, { ...sale, orderNo: String(data.orderNo) }, id))
}

/** The order was received, the motor turned for each piece, and the command is done. */
function sayShipped(voice: Voice, sale: At<DemoSale>, cmdId: string, receivedMs?: number): Incoming[] {
  const { standing, orderNo, items } = sale
  const { heardMs, turnMs } = pacesOf(sale)
  const received = say(voice, standing.machine.code, 'vend.received', { orderNo }, { atMs: heardMs, receivedMs })
  const results = items.map(({ slot, isJammed }, index) => {
    const { code } = slotOf(sale, slot)
    const codes = { ...turned(!isJammed), durationMs: turnMs, ...tracedOf(sale, index) }
    const atMs = heardMs + turnMs * (index + 1)
    const result = { orderNo, index, slot: code, ...codes }
    return say(voice, standing.machine.code, 'vend.result', result, { atMs, receivedMs })
  })
  const endMs = heardMs + turnMs * (items.length + 1)
  return [
    received,
    ...results,
    say(voice, standing.machine.code, 'cmd.ack', { cmdId, state: 'done' }, { atMs: endMs, receivedMs }),
  ]
}

function sayCash(voice: Voice, sale: At<DemoSale>): Incoming {
  const { standing, orderNo, occurredMs: atMs, receivedMs } = sale
  const items = sale.items.map(({ slot, isJammed }, index) => {
    const { code, product, priceFen } = slotOf(sale, slot)
    return { slot: code, product, priceFen, ...turned(!isJammed), ...tracedOf(sale, index) }
  })
  const paidFen = items.reduce((sum, { priceFen }) => sum + priceFen, 0)
  return say(voice, standing.machine.code, 'sale', { orderNo, method: 'cash', paidFen, items }, { atMs, receivedMs })
}

/** Of a pack that fell: what the visit scanned, or one that was there before. */
function tracedOf({ standing, orderNo, items }: At<DemoSale>, index: number) {
  const { slot = 0, isJammed, nth } = items[index] ?? {}
  const batch = standing.fillBatch(slot)
  if (!batch || isJammed) return {}
  const product = standing.slots[slot]?.product?.code ?? ''
  const about = nth === undefined ? `${standing.machine.code}/${orderNo}/${index}` : undefined
  return { batch, traceCode: traceCode(product, about ?? lotCode(standing, orderNo.slice(0, 8), slot, nth ?? 0)) }
}

const lotCode = ({ machine }: Standing, lot: string, slot: number, nth: number) =>
  `${machine.code}/${lot}/${slot}/${nth}`

/** 20 digits, one for each unit: China's drug traceability code begins with the product's seven. */
const traceCode = (product: string, about: string): string =>
  `${tracePrefix(product)}${String(seedOf(about)).padStart(13, '0')}`
