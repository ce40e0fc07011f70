import type { MessageData, PrescriptionAnswer } from '@aisle/contract/device/messages'
import type { Tx } from '../../kernel/context'
import { checkPrescriptions } from '../pharmacy/public'
import type { Reported } from '../trade/public'

type Asked = { msgId: string; report: Reported<MessageData<'rx.check'>> }
type Reply = { machineCode: string; answer: PrescriptionAnswer }

/** What customers may have on the prescriptions that they hold up. A machine without the licence is told nothing. */
export async function answerPrescriptions(tx: Tx, asked: readonly Asked[]): Promise<Reply[]> {
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
    if (!check || check.refused !== null) {
      return { machineCode, answer: { ...about, refused: check?.refused ?? 'prescriptionUnknown' } }
    }
    const { medicines, expiresAt } = check
    return { machineCode, answer: { ...about, medicines, expiresAt: expiresAt.toISOString() } }
  })
}
