import type { MessageData, PrescriptionAnswer } from '@aisle/contract/device/messages'
import type { Tx } from '../../kernel/context'
import { checkPrescriptions, countPrescriptionGuesses } from '../pharmacy/public'
import type { Reported } from '../trade/public'

type Asked = { msgId: string; report: Reported<MessageData<'rx.check'>> }
type Ordered = Pick<Asked, 'msgId'> & { report: Reported<MessageData<'order.request'>> }
type Reply = { machineCode: string; answer: PrescriptionAnswer }

/**
 * Questions and orders that name a prescription count on one tally. @returns the messages of machines that have guessed
 * too often: right or wrong, nothing is looked at for them
 */
export async function findGuessing(
  tx: Tx,
  checks: readonly Asked[],
  orders: readonly Ordered[],
): Promise<ReadonlySet<string>> {
  const asks = [
    // A machine without the licence is told nothing, so it learns nothing either.
    ...checks
      .filter(({ report }) => report.machine.licenceMode === 'hospital')
      .map(({ msgId, report }) => {
        return { msgId, report, code: report.data.prescription }
      }),
    ...orders.flatMap(({ msgId, report }) => {
      const { prescription: code } = report.data
      return code === undefined ? [] : [{ msgId, report, code }]
    }),
  ]
  const [first] = asks
  if (!first) return new Set()
  const isBlocked = await countPrescriptionGuesses(
    tx,
    asks.map(({ report, code }) => ({ machineId: report.machine.id, code })),
    first.report.receivedAt,
  )
  return new Set(asks.filter((_, i) => isBlocked[i]).map(({ report: { machine }, msgId }) => keyOf(machine, msgId)))
}

export const keyOf = (machine: { id: number }, msgId: string): string => `${machine.id}/${msgId}`

/** What customers may have on the prescriptions that they hold up. A machine without the licence is told nothing. */
export async function answerPrescriptions(
  tx: Tx,
  asked: readonly Asked[],
  guessing: ReadonlySet<string>,
): Promise<Reply[]> {
  const checks = await checkPrescriptions(
    tx,
    asked.map(({ report }) => ({
      machineId: report.machine.id,
      code: report.data.prescription,
      at: report.receivedAt,
    })),
  )
  return asked.map(({ msgId, report: { machine, data } }, i): Reply => {
    const { code: machineCode, licenceMode } = machine
    const about = { msgId, prescription: data.prescription }
    const check = checks[i]
    if (licenceMode !== 'hospital') return { machineCode, answer: { ...about, refused: 'notLawful' } }
    if (guessing.has(keyOf(machine, msgId))) {
      return { machineCode, answer: { ...about, refused: 'prescriptionsBlocked' } }
    }
    if (!check || check.refused !== null) {
      return { machineCode, answer: { ...about, refused: check?.refused ?? 'prescriptionUnknown' } }
    }
    const { medicines, expiresAt } = check
    return { machineCode, answer: { ...about, medicines, expiresAt: expiresAt.toISOString() } }
  })
}
