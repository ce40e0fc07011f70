import {
  type FlowCardColumn,
  flowCardColumns,
  type FlowCardFault,
  type FlowCardRow,
  flowCardTypes,
  flowCarriers,
  isIccid,
} from '@aisle/contract/fleet/flowCard'
import { inSlices } from '../../../kernel/slices'
import { valueReader } from '../machineImport/import.sheet'

/** As it is kept. */
export type NewCard = {
  iccid: string
  carrier: string
  cardType: string
  machineId: number | null
  phone: string
  imei: string
  imsi: string
  planMb: number
  alarmMb: number
  openedOn: string | null
  expiresOn: string | null
  remark: string
}
/** What the database knows of what the sheet names. */
export type KnownHere = {
  takenIccids: ReadonlySet<string>
  /** Machines in sight by code. */
  machines: ReadonlyMap<string, { id: number; hasCard: boolean; isOfMerchant: boolean }>
}
export type CardFault = { row: number; column: FlowCardColumn; fault: FlowCardFault; value: string }
export type JudgedCards = { good: NewCard[]; faults: CardFault[]; faultCount: number }
export type NumberedRow = { row: number; cells: FlowCardRow }

const MOST_PLAN_MB = 1_048_576
const MOST_ALARM_MB = 10_240

/** More are not read by anybody; their number is said. */
const MOST_FAULTS = 200

/** Each row by itself, then against the others: a card and a machine stand in a sheet once. */
export async function judgeCards(rows: readonly NumberedRow[], known: KnownHere): Promise<JudgedCards> {
  const iccids = new Set<string>()
  const machines = new Set<string>()
  const judged: JudgedCards = { good: [], faults: [], faultCount: 0 }
  await inSlices(rows, ({ row, cells }) => {
    const wrong = [...faultsIn(cells), ...faultsHere(cells, known)]
    if (iccids.has(cells.iccid)) wrong.push(['iccid', 'twice'])
    if (cells.machineCode && machines.has(cells.machineCode)) wrong.push(['machineCode', 'machineTwice'])
    iccids.add(cells.iccid)
    machines.add(cells.machineCode)
    const shown = wrong.slice(0, MOST_FAULTS - judged.faults.length)
    judged.faults.push(...shown.map(([column, fault]) => ({ row, column, fault, value: cells[column].slice(0, 60) })))
    judged.faultCount += wrong.length
    if (wrong.length === 0) judged.good.push(cardOf(cells, known))
  })
  return judged
}

type Wrong = [FlowCardColumn, FlowCardFault]

function faultsIn(cells: FlowCardRow): Wrong[] {
  const wrong: Wrong[] = []
  const check = (isFine: boolean, column: FlowCardColumn, fault: FlowCardFault) => {
    if (!isFine) wrong.push([column, fault])
  }
  const hasDigits = /^[0-9]{19,20}$/.test(cells.iccid)
  check(hasDigits, 'iccid', 'iccid')
  check(!hasDigits || isIccid(cells.iccid), 'iccid', 'iccidCheck')
  check(carrierOf(cells) !== null, 'carrier', 'carrier')
  check(typeOf(cells) !== null, 'cardType', 'cardType')
  check(/^([0-9]{15})?$/.test(cells.imei), 'imei', 'digits')
  check(/^([0-9]{15})?$/.test(cells.imsi), 'imsi', 'digits')
  check(/^(\+?[0-9]{5,15})?$/.test(cells.phone), 'phone', 'digits')
  check(isWhole(cells.planMb, MOST_PLAN_MB), 'planMb', 'number')
  check(isWhole(cells.alarmMb, MOST_ALARM_MB), 'alarmMb', 'number')
  const [opened, expires] = [dayIn(cells.openedOn), dayIn(cells.expiresOn)]
  check(opened !== undefined, 'openedOn', 'day')
  check(expires !== undefined, 'expiresOn', 'day')
  check(!opened || !expires || opened <= expires, 'expiresOn', 'days')
  return wrong
}

function faultsHere(cells: FlowCardRow, { takenIccids, machines }: KnownHere): Wrong[] {
  const wrong: Wrong[] = []
  if (takenIccids.has(cells.iccid)) wrong.push(['iccid', 'taken'])
  if (cells.machineCode === '') return wrong
  const machine = machines.get(cells.machineCode)
  if (!machine) return [...wrong, ['machineCode', 'machineUnknown']]
  if (!machine.isOfMerchant) wrong.push(['machineCode', 'otherMerchant'])
  if (machine.hasCard) wrong.push(['machineCode', 'machineTaken'])
  return wrong
}

const cardOf = (cells: FlowCardRow, { machines }: KnownHere): NewCard => ({
  iccid: cells.iccid,
  carrier: carrierOf(cells) ?? 'other',
  cardType: typeOf(cells) ?? 'nano',
  machineId: machines.get(cells.machineCode)?.id ?? null,
  phone: cells.phone,
  imei: cells.imei,
  imsi: cells.imsi,
  planMb: Number(cells.planMb),
  alarmMb: Number(cells.alarmMb),
  openedOn: dayIn(cells.openedOn) ?? null,
  expiresOn: dayIn(cells.expiresOn) ?? null,
  remark: cells.remark,
})

const carrierIn = valueReader('flowCarrier', flowCarriers)
const cardTypeIn = valueReader('flowCardType', flowCardTypes)

const carrierOf = ({ carrier }: FlowCardRow) => carrierIn(carrier)
/** Most cards are of one size: left empty, it is that one. */
const typeOf = ({ cardType }: FlowCardRow) => (cardType === '' ? 'nano' : cardTypeIn(cardType))

/** Empty is 0. */
const isWhole = (text: string, most: number) => text === '' || (/^[0-9]{1,7}$/.test(text) && Number(text) <= most)

/** Null for none, undefined for what is no day. Slashes and dots are understood. */
function dayIn(text: string): string | null | undefined {
  if (text === '') return null
  const [, year = '', month = '', day = ''] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? []
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${iso}T00:00:00Z`)
  const isReal = Number(year) >= 1990 && !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === iso
  return isReal ? iso : undefined
}

/** Rows without anything in them are left out. @returns undefined where a column that must be there is missing */
export function rowsIn(
  table: readonly (readonly string[])[],
  nameOf: (heading: string) => FlowCardColumn | null,
): NumberedRow[] | undefined {
  const [head = [], ...lines] = table
  const names = head.map(nameOf)
  if (!names.includes('iccid') || !names.includes('carrier')) return undefined
  const empty = Object.fromEntries(flowCardColumns.map((each) => [each, ''])) as FlowCardRow
  return lines
    .map((line, at) => {
      const cells = { ...empty }
      names.forEach((name, column) => {
        if (name) cells[name] = (line[column] ?? '').trim().slice(0, 200)
      })
      return { row: at + 2, cells }
    })
    .filter(({ cells }) => Object.values(cells).some((text) => text !== ''))
}
