import { z } from 'zod'
import { endpoint, zAnyOf, zDay, zId, zInstant, zLine, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { judgedSheet, sheetRefusals, sheetTemplate, zSheet } from '../kernel/sheet'

export const flowCarriers = ['cmcc', 'cucc', 'ctcc', 'other'] as const
export const flowCardTypes = ['standard', 'micro', 'nano', 'industrial', 'esim'] as const

/** How a card is, worst first: what is over wins over what will be. */
export const flowCardStates = ['expired', 'over_limit', 'expiring', 'in_use', 'spare'] as const
export type FlowCardState = (typeof flowCardStates)[number]

/** Days before its end from which a card is an alarm. */
export const FLOW_CARD_WARNS_DAYS = 30

export const flowCardRefusals = defineRefusals('fleet', {
  'flowCard.taken': 409,
  'flowCard.machineTaken': 409,
  'flowCard.otherMerchant': 409,
  'flowCard.bound': 409,
  'flowCard.unbound': 409,
})

/** ITU-T E.118: the last of 19 or 20 digits is the check digit of the others, by Luhn. */
export function isIccid(digits: string): boolean {
  if (!/^[0-9]{19,20}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

const named = (rule: string) => ({ params: { domain: 'fleet', rule } })
export const zIccid = z
  .string()
  .trim()
  .regex(/^[0-9]{19,20}$/)
  .refine(isIccid, named('iccidCheck'))
const zFifteen = z
  .string()
  .trim()
  .regex(/^([0-9]{15})?$/)

const zAlarmMb = z.coerce.number().int().min(0).max(10_240)
type Lasting = { openedOn: string | null; expiresOn: string | null }
export const isInOrder = ({ openedOn, expiresOn }: Lasting): boolean => !openedOn || !expiresOn || openedOn <= expiresOn
const inOrder = { path: ['expiresOn'], ...named('flowCardDays') }

export const flowCardState = stateField('flowCardState', flowCardStates, {
  expired: 'bad',
  over_limit: 'bad',
  expiring: 'warn',
  in_use: 'good',
  spare: 'idle',
})

export const flowCard = entity({
  domain: 'fleet',
  kind: 'flowCard',
  path: '/api/flow-cards',
  right: 'flowCard',
  owner: 'merchant',
  fixed: { iccid: zIccid },
  editable: {
    carrier: z.enum(flowCarriers),
    cardType: z.enum(flowCardTypes).default('nano'),
    phone: zLine(16)
      .regex(/^(\+?[0-9]{5,15})?$/)
      .default(''),
    planMb: z.coerce.number().int().min(0).max(1_048_576).default(0),
    alarmMb: zAlarmMb.default(0),
    openedOn: zDay.nullable().default(null),
    expiresOn: zDay.nullable().default(null),
    imei: zFifteen.default(''),
    imsi: zFifteen.default(''),
    remark: zLine(200).default(''),
  },
  details: ['alarmMb', 'remark'],
  facts: {
    /** Null while it lies in a drawer, or for a machine out of sight. */
    machineCode: z.string().nullable(),
    state: z.enum(flowCardStates),
    todayMb: z.number(),
    monthMb: z.number(),
    /** Its own, else its machine's; 0: none. */
    limitMb: z.int(),
  },
  show: {
    iccid: { kind: 'code' },
    machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
    state: flowCardState,
    cardState: flowCardState,
    carrier: { kind: 'state', words: 'flowCarrier', tones: {} },
    cardType: { kind: 'state', words: 'flowCardType', tones: {} },
    imei: { kind: 'code' },
    imsi: { kind: 'code' },
    phone: { kind: 'phone' },
    remark: { kind: 'longText' },
  },
  unique: { flow_card_iccid_key: 'flowCard.taken' },
  filters: {
    flowCard: zSearch.optional(),
    cardState: zAnyOf(flowCardStates).optional(),
    carrier: zAnyOf(flowCarriers).optional(),
    machineCode: zSearch.optional(),
    merchantId: zId.optional(),
  },
  sorts: ['worst', 'month', 'expiry', 'iccid'],
})

export const listFlowCards = flowCard.list('Data cards in sight with what they used today and this month, worst first')
export const getFlowCard = flowCard.get('One data card with its daily and monthly use', {
  machineName: z.string().nullable(),
  /** Bound to one that the caller doesn't see. */
  isBound: z.boolean(),
  /** When the machine last told its counter. */
  heardAt: zInstant.nullable(),
  /** The last 31 days on which something was used, newest first. */
  days: z.array(z.object({ day: zDay, usedMb: z.number() })),
  months: z.array(z.object({ month: zDay, usedMb: z.number() })),
})
export type FlowCardDetail = z.output<typeof getFlowCard.output>

export const summariseFlowCards = endpoint({
  name: 'fleet.summariseFlowCards',
  method: 'GET',
  path: '/api/flow-card-summary',
  access: 'flowCard.read',
  input: z.strictObject({}),
  output: z.object({
    total: z.int(),
    expired: z.int(),
    over_limit: z.int(),
    expiring: z.int(),
    in_use: z.int(),
    spare: z.int(),
    monthMb: z.number(),
  }),
  summary: 'How the data cards in sight are, in one line of counts',
})

const added = flowCard.add('Add a data card to a merchant')
const edited = flowCard.edit('Change what is known of a data card')
export const addFlowCard = { ...added, input: added.input.refine(isInOrder, inOrder) }
export const editFlowCard = { ...edited, input: edited.input.refine(isInOrder, inOrder) }
export const bindFlowCard = flowCard.verb(
  'bindFlowCard',
  '/{id}/bind',
  { id: zId, machineId: zId },
  'Say that a card is in a machine, which has no other',
  ['flowCard.machineTaken', 'flowCard.otherMerchant'],
)
export const releaseFlowCard = flowCard.verb(
  'releaseFlowCard',
  '/{id}/release',
  { id: zId },
  'Say that a card was taken out of its machine',
  ['flowCard.unbound'],
)
export const removeFlowCard = flowCard.remove('Delete a data card that is in no machine, with its history', [
  'flowCard.bound',
])

export const setFlowLimit = endpoint({
  name: 'fleet.setFlowLimit',
  method: 'POST',
  path: '/api/flow-card-limits',
  access: 'flowCard.write',
  writes: true,
  input: z.strictObject({ ids: z.array(zId).min(1).max(5_000), alarmMb: zAlarmMb }),
  output: z.object({ changed: z.int() }),
  refusals: ['request.notFound'],
  summary: 'Set the alarm limit of many data cards',
})

/** Columns of the sheet, in its order. */
export const flowCardColumns = [
  'iccid',
  'carrier',
  'cardType',
  'machineCode',
  'phone',
  'imei',
  'imsi',
  'planMb',
  'alarmMb',
  'openedOn',
  'expiresOn',
  'remark',
] as const

const importInput = z.strictObject({ merchantId: zId, file: zSheet })

export const getFlowCardTemplate = endpoint({
  name: 'fleet.getFlowCardTemplate',
  method: 'GET',
  path: '/api/flow-card-imports/template',
  access: 'flowCard.write',
  input: z.strictObject({}),
  output: sheetTemplate,
  summary: 'A sheet with the columns of the import and one example, in the language of the caller',
})

export const previewFlowCards = endpoint({
  name: 'fleet.previewFlowCards',
  method: 'POST',
  path: '/api/flow-card-imports/preview',
  access: 'flowCard.write',
  input: importInput,
  output: z.object(judgedSheet),
  refusals: ['request.notFound', ...sheetRefusals],
  summary: 'What of a sheet of data cards is wrong, cell by cell; nothing is changed',
})

export const importFlowCards = endpoint({
  name: 'fleet.importFlowCards',
  method: 'POST',
  path: '/api/flow-card-imports',
  access: 'flowCard.write',
  writes: true,
  input: importInput,
  output: z.object({ added: z.int() }),
  refusals: ['request.notFound', ...sheetRefusals],
  summary: 'Add all data cards of a sheet, or none',
})
