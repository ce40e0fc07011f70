import { announce } from '../../../kernel/announce'
import { refused, taken } from '../../trade/public'
import { heardOf, type Step } from '../link/batch'
import { answerCommands } from './command.store'
import { settleEnded } from './ended'

export const takeCommandAnswers: Step = async (tx, batch) => {
  const answers = heardOf(batch, 'cmd.ack')
  const { known, ended } = await answerCommands(
    tx,
    answers.map(({ machine, occurredAt: at, data: { detail = null, result, ...data } }) => {
      return { machineId: machine.id, ...data, detail, result: result ? JSON.stringify(result) : null, at }
    }),
  )
  for (const { work, data } of answers) work.outcome = known.has(data.cmdId) ? taken : refused('unknownCommand')
  if (answers.length === 0) return
  await settleEnded(tx, ended, batch.now)
  await announce(tx, { topic: 'answers', machineIds: [...new Set(answers.map(({ machine }) => machine.id))] })
}
