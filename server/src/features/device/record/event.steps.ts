import { judgeFills } from '../../medicine/public'
import { takeFills } from '../../stock/public'
import { refused, taken } from '../../trade/public'
import { heardOf, openOf, type Step } from '../link/batch'
import { keepEvents } from '../link/message.store'
import { countMessages } from './gap.store'
import { isRecord, takeRecords } from './record.commands'

export const countHeard: Step = (tx, { work, now }) =>
  countMessages(
    tx,
    work.map(({ machine, message: { envelope, class: kind } }) => {
      return { machineId: machine.id, bootId: envelope.bootId, seq: envelope.seq, isLive: kind !== 'critical' }
    }),
    now,
  )

/** A fill is a stock move; what else a machine says of its stock is for `report.steps`. */
export const takeFillings: Step = async (tx, batch) => {
  const fills = heardOf(batch, 'stock.delta')
    .filter(({ data }) => data.cause === 'fill' && data.change > 0)
    .map(({ work, msgId, machine, data, occurredAt, receivedAt }) => ({
      work,
      machineId: machine.id,
      merchantId: machine.merchantId,
      slot: data.slot,
      product: data.product,
      quantity: data.change,
      occurredAt,
      batch: data.batch ?? null,
      counted: { beforePieces: data.before, afterPieces: data.after, ...(data.user ? { replenisher: data.user } : {}) },
      scanned: { codes: data.traceCodes ?? [], heardAt: receivedAt },
      reference: `message/${machine.code}/${msgId}`,
    }))
  const { problems, loads } = await takeFills(tx, fills)
  batch.loads.push(...loads)
  for (const [{ work }, problem] of problems) work.outcome = problem ? refused(problem) : taken
  const put = fills.filter((fill) => problems.get(fill) === null)
  batch.filled.push(...(await judgeFills(tx, put.map(filledOf))))
}

const filledOf = ({ machineId, merchantId, slot, occurredAt: at }: Filled) => ({ machineId, merchantId, slot, at })
type Filled = { machineId: number; merchantId: number; slot: string; occurredAt: Date }

export const takeEvents: Step = async (tx, batch) => {
  const left = openOf(batch).filter(({ message }) => message.class === 'critical')
  await takeRecords(tx, left.filter(isRecord))
  const events = left.filter((each) => !isRecord(each))
  await keepEvents(
    tx,
    events.map(({ machine, message, occurredAt }) => {
      return { merchantId: machine.merchantId, machineId: machine.id, message, occurredAt }
    }),
  )
  for (const each of left) each.outcome = taken
}
