import type { OrderAnswer } from '@aisle/contract/device/messages'
import type { Drawn, MachineRef } from '../trade/public'
import type { Incoming } from './decode'

type Cause = { work: { machine: MachineRef; message: Incoming }; report: { data: { orderNo: string } } }

/** What a play came to, for its machine to show, under the id of the message that paid it. */
export function drawnAnswer(drawn: Drawn, causes: readonly Cause[]): { machineCode: string; answer: OrderAnswer } {
  const { machine, machineOrderNo: orderNo, result, number, oddsPermille } = drawn
  const cause = causes.findLast(({ work, report }) => work.machine.id === machine.id && report.data.orderNo === orderNo)
  const msgId = cause?.work.message.envelope.msgId ?? ''
  return { machineCode: machine.code, answer: { msgId, orderNo, drawn: result, number, oddsPermille } }
}
