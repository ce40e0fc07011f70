import type { PrescriptionAnswer } from '@aisle/contract/device/messages'
import { must } from '../../../kernel/must'
import { type Checked, checkPrescriptions, countPrescriptionGuesses } from '../../pharmacy/public'
import { type Heard, heardOf, type Step } from '../link/batch'

/** Questions and orders that name a prescription count on one tally, right or wrong. */
export const countGuesses: Step = async (tx, batch) => {
  const asks = [
    // A machine without the licence is told nothing, so it learns nothing either.
    ...heardOf(batch, 'rx.check')
      .filter(({ machine }) => machine.licenceMode === 'hospital')
      .map(({ work, machine, data }) => ({ work, machineId: machine.id, code: data.prescription })),
    ...heardOf(batch, 'order.request').flatMap(({ work, machine, data: { prescription: code } }) =>
      code === undefined ? [] : [{ work, machineId: machine.id, code }],
    ),
  ]
  for (const { work } of await countPrescriptionGuesses(tx, asks, batch.now)) batch.guessing.add(work)
}

/** What customers may have on the prescriptions that they hold up. A machine without the licence is told nothing. */
export const answerPrescriptions: Step = async (tx, batch) => {
  const asks = heardOf(batch, 'rx.check').map((heard) => {
    return { heard, machineId: heard.machine.id, code: heard.data.prescription, at: heard.receivedAt }
  })
  const checks = await checkPrescriptions(tx, asks)
  for (const ask of asks) {
    const { heard } = ask
    const checked = must(checks.get(ask), 'answer')
    const answer = answerOf(heard, batch.guessing.has(heard.work) ? { refused: 'prescriptionsBlocked' } : checked)
    batch.replies.push({ machineCode: heard.machine.code, answer })
  }
}

function answerOf({ msgId, machine, data }: Heard<'rx.check'>, checked: Checked): PrescriptionAnswer {
  const about = { msgId, prescription: data.prescription }
  if (machine.licenceMode !== 'hospital') return { ...about, refused: 'notLawful' }
  if (checked.refused !== null) return { ...about, refused: checked.refused }
  const { medicines, expiresAt } = checked
  return { ...about, medicines, expiresAt: expiresAt.toISOString() }
}
