import { flowCardColumns, flowCardTypes, flowCarriers, isIccid } from '@aisle/contract/fleet/flowCard'
import { dayIn } from '../../../kernel/sheet/sheet.cells'
import { type SheetForm, type SheetRow, valueReader } from '../../../kernel/sheet/sheet.form'
import type { JudgedRow, RowFault } from '../../../kernel/sheet/sheet.judge'

export const cardSheet: SheetForm = {
  domain: 'fleet',
  wordOf: (column) => `field.${column}`,
  columns: flowCardColumns,
  needed: ['iccid', 'carrier'],
  file: 'aisle-sim-cards.xlsx',
  titles: { rows: 'flowCard.sheet' },
}

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
/** What rows before have named. */
export type Seen = { iccids: Set<string>; machines: Set<string> }

const MOST_PLAN_MB = 1_048_576
const MOST_ALARM_MB = 10_240

type Cells = SheetRow['cells']

/** A row by itself, then against those before: a card and a machine stand in a sheet once. */
export function judgeCard(cells: Cells, known: KnownHere, { iccids, machines }: Seen): JudgedRow<NewCard> {
  const { iccid = '', machineCode = '' } = cells
  const faults = [...faultsIn(cells), ...faultsHere(cells, known)]
  if (iccids.has(iccid)) faults.push(say('iccid', 'twice'))
  if (machineCode && machines.has(machineCode)) faults.push(say('machineCode', 'machineTwice'))
  iccids.add(iccid)
  machines.add(machineCode)
  return { good: cardOf(cells, known), faults }
}

const say = (column: string, fault: string): RowFault => ({ column, domain: 'fleet', key: `flowCard.fault.${fault}` })

function faultsIn(cells: Cells): RowFault[] {
  const wrong: RowFault[] = []
  const check = (isFine: boolean, column: string, fault: string) => {
    if (!isFine) wrong.push(say(column, fault))
  }
  const { iccid = '', imei = '', imsi = '', phone = '', planMb = '', alarmMb = '' } = cells
  const hasDigits = /^[0-9]{19,20}$/.test(iccid)
  check(hasDigits, 'iccid', 'iccid')
  check(!hasDigits || isIccid(iccid), 'iccid', 'iccidCheck')
  check(carrierOf(cells) !== null, 'carrier', 'carrier')
  check(typeOf(cells) !== null, 'cardType', 'cardType')
  check(/^([0-9]{15})?$/.test(imei), 'imei', 'digits')
  check(/^([0-9]{15})?$/.test(imsi), 'imsi', 'digits')
  check(/^(\+?[0-9]{5,15})?$/.test(phone), 'phone', 'digits')
  check(isWhole(planMb, MOST_PLAN_MB), 'planMb', 'number')
  check(isWhole(alarmMb, MOST_ALARM_MB), 'alarmMb', 'number')
  const [opened, expires] = [dayIn(cells.openedOn ?? ''), dayIn(cells.expiresOn ?? '')]
  check(opened !== undefined, 'openedOn', 'day')
  check(expires !== undefined, 'expiresOn', 'day')
  check(!opened || !expires || opened <= expires, 'expiresOn', 'days')
  return wrong
}

function faultsHere({ iccid = '', machineCode = '' }: Cells, { takenIccids, machines }: KnownHere): RowFault[] {
  const wrong: RowFault[] = []
  if (takenIccids.has(iccid)) wrong.push(say('iccid', 'taken'))
  if (machineCode === '') return wrong
  const machine = machines.get(machineCode)
  if (!machine) return [...wrong, say('machineCode', 'machineUnknown')]
  if (!machine.isOfMerchant) wrong.push(say('machineCode', 'otherMerchant'))
  if (machine.hasCard) wrong.push(say('machineCode', 'machineTaken'))
  return wrong
}

const cardOf = (cells: Cells, { machines }: KnownHere): NewCard => ({
  iccid: cells.iccid ?? '',
  carrier: carrierOf(cells) ?? 'other',
  cardType: typeOf(cells) ?? 'nano',
  machineId: machines.get(cells.machineCode ?? '')?.id ?? null,
  phone: cells.phone ?? '',
  imei: cells.imei ?? '',
  imsi: cells.imsi ?? '',
  planMb: Number(cells.planMb ?? 0),
  alarmMb: Number(cells.alarmMb ?? 0),
  openedOn: dayIn(cells.openedOn ?? '') ?? null,
  expiresOn: dayIn(cells.expiresOn ?? '') ?? null,
  remark: (cells.remark ?? '').slice(0, 200),
})

const carrierIn = valueReader('fleet', 'flowCarrier', flowCarriers)
const cardTypeIn = valueReader('fleet', 'flowCardType', flowCardTypes)

const carrierOf = ({ carrier = '' }: Cells) => carrierIn(carrier)
/** Most cards are of one size: left empty, it is that one. */
const typeOf = ({ cardType = '' }: Cells) => (cardType === '' ? 'nano' : cardTypeIn(cardType))

/** Empty is 0. */
const isWhole = (text: string, most: number) => text === '' || (/^[0-9]{1,7}$/.test(text) && Number(text) <= most)
