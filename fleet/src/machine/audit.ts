import { checkValue } from '@aisle/contract/device/auditFile'
import { compose, record } from '../link/delivery'
import { type Machine, wallMs } from '../world'

const VERSION = 'V0/6'

/** What the controller of a vending machine gives when it is read out: an EVA-DTS file of its counters. */
export async function sayAudit(machine: Machine, kind: 'interval' | 'fill' | 'collect'): Promise<void> {
  await record(machine, [compose(machine, 'audit.dex', { kind, raw: auditFile(machine) })])
}

export function auditFile(machine: Machine): string {
  const { code, slots, takesCash } = machine
  const count = slots.reduce((sum, { sold }) => sum + sold, 0)
  const fen = slots.reduce((sum, { soldFen }) => sum + soldFen, 0)
  const cash = slots.reduce((sum, { soldCashFen }) => sum + soldCashFen, 0)
  const [day = '', time = ''] = new Date(wallMs(machine)).toISOString().replace(/[-:]/g, '').split('T')
  const lines = [
    'ST*001*0001',
    `ID1*${code}*SIM-1*1***${code}`,
    'ID4*2*156*CNY',
    `ID5*${day}*${time.slice(0, 6)}`,
    `VA1*${fen}*${count}*${fen}*${count}`,
    ...(takesCash ? [`CA2*${cash}*0*${cash}*0`, `CA3*${cash}*${cash}*0*0*${cash}*${cash}*0*0`] : []),
    `DA2*${fen - cash}*0*${fen - cash}*0`,
    ...slots.flatMap((slot) => [
      `PA1*${slot.code}*${slot.priceFen ?? 0}*${slot.product ?? ''}`,
      `PA2*${slot.sold}*${slot.soldFen}*${slot.sold}*${slot.soldFen}`,
    ]),
  ]
  const end = [`G85*${checkValue(lines)}`, `SE*${lines.length + 2}*0001`, 'DXE*1*1']
  return [`DXS*SIM0000001*VA*${VERSION}*1`, ...lines, ...end].join('\r\n')
}
