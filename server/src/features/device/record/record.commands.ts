import type { MessageData } from '@aisle/contract/device/messages'
import { businessTime } from '../../../kernel/businessDay'
import type { Tx } from '../../../kernel/context'
import type { MachineRef } from '../../trade/public'
import type { Incoming } from '../link/decode'
import { takeAudits } from './dex.store'
import { appendReadings } from './temperature.store'

type Recorded = { machine: MachineRef; message: Incoming; occurredAt: Date }

const recordTypes = new Set(['temperature', 'audit.dex'])
export const isRecord = ({ message }: Pick<Recorded, 'message'>): boolean => recordTypes.has(message.type)

/** Measured temperatures and audit files: kept as what they are, never changed afterwards. */
export async function takeRecords(tx: Tx, work: readonly Recorded[]): Promise<void> {
  const temperatures = work.filter(({ message }) => message.type === 'temperature')
  await appendReadings(
    tx,
    temperatures.map(({ machine, message, occurredAt }) => {
      const data = message.data as MessageData<'temperature'>
      return {
        machineId: machine.id,
        merchantId: machine.merchantId,
        day: businessTime(occurredAt, machine.timeZone).day,
        at: occurredAt,
        receivedAt: message.receivedAt,
        msgId: message.envelope.msgId,
        probe: data.probe,
        celsiusTenths: Math.round(data.celsius * 10),
        humidityTenths: data.humidity === undefined ? null : Math.round(data.humidity * 10),
        mode: data.mode ?? '',
        compressor: data.compressor ?? null,
      }
    }),
  )
  const audits = work.filter(({ message }) => message.type === 'audit.dex')
  await takeAudits(
    tx,
    audits.map(({ machine, message, occurredAt }) => {
      const { kind, raw } = message.data as MessageData<'audit.dex'>
      const { receivedAt, envelope } = message
      return { machine, msgId: envelope.msgId, kind, raw, readAt: occurredAt, receivedAt }
    }),
  )
}
