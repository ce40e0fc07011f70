import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { isPublicAddress } from './callbackAddress'

/** What other systems are for, and under each what they exchange with us. */
export const integrationClasses = {
  hospital: ['prescription', 'patient'],
  insurance: ['insurance_pay', 'real_name'],
  erp: ['event_feed', 'order_sync', 'stock_sync', 'product_sync'],
  marketing: ['member_sync', 'coupon_sync'],
  dispensing: ['ship_request', 'pickup_code'],
} as const
export type IntegrationParent = keyof typeof integrationClasses
export const integrationParents = Object.keys(integrationClasses) as [IntegrationParent, ...IntegrationParent[]]
export type IntegrationChild = (typeof integrationClasses)[IntegrationParent][number]
export const integrationChildren = Object.values(integrationClasses).flat() as [IntegrationChild, ...IntegrationChild[]]

/** Those that do what their name says; the others are kept where they were set up, and stay switched off. */
export const offeredChildren = ['ship_request', 'event_feed'] as const satisfies readonly IntegrationChild[]
export const isOffered = (child: IntegrationChild): boolean => (offeredChildren as readonly string[]).includes(child)

export const parentOf = (child: IntegrationChild): IntegrationParent =>
  integrationParents.find((parent) => (integrationClasses[parent] as readonly string[]).includes(child)) ?? 'erp'

/** Push: we call them. Pull: they call us. */
export const interfaceTypes = ['push', 'pull', 'both'] as const

export const integrationState = stateTable({
  initial: 'disabled',
  states: ['enabled', 'disabled'],
  moves: { enable: { from: ['disabled'], to: 'enabled' }, disable: { from: ['enabled'], to: 'disabled' } },
})

/** Why a call may not be made now; null when it may. `spent` and `expired` follow from facts. */
export const integrationHindrances = ['disabled', 'expired', 'spent'] as const
export type IntegrationHindrance = (typeof integrationHindrances)[number]

export const integrationRefusals = defineRefusals('merchant', {
  'integrationConfig.exists': 409,
  'integrationConfig.state': 409,
  'integrationConfig.noSecret': 409,
  'integrationConfig.maxBelowUse': 422,
  'integrationConfig.noMachine': 422,
  'integrationConfig.used': 409,
  'integrationConfig.disabled': 409,
  'integrationConfig.expired': 409,
  'integrationConfig.spent': 409,
  'integrationConfig.beyond': 403,
  'integrationConfig.notOffered': 409,
  'integrationConfig.pathMissing': 422,
  'integrationConfig.pathUnused': 422,
})

const config = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  merchantCode: z.string(),
  machineCode: z.string().nullable(),
  parentClass: z.enum(integrationParents),
  childClass: z.enum(integrationChildren),
  interfaceType: z.enum(interfaceTypes),
  /** Where we call; null where nothing is called, or webhooks have addresses of their own. */
  path: z.string().nullable(),
  useCount: z.int(),
  maxCount: z.int().nullable(),
  state: z.enum(integrationState.states),
  hindrance: z.enum(integrationHindrances).nullable(),
  expiresOn: zDay.nullable(),
  contractNumber: z.string(),
})
export type IntegrationConfig = z.output<typeof config>

const editable = {
  childClass: z.enum(offeredChildren),
  interfaceType: z.enum(interfaceTypes),
  path: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .refine(isPublicAddress, { params: { domain: 'merchant', rule: 'privateAddress' } })
    .nullable()
    .default(null),
  /** Null: without limit. */
  maxCount: z.coerce.number().int().min(1).max(1_000_000_000).nullable().default(null),
  /** Null: for ever. It may still be called on that day. */
  expiresOn: zDay.nullable().default(null),
  contractNumber: z.string().trim().min(1).max(60),
}

export const listIntegrations = listEndpoint({
  name: 'merchant.listIntegrations',
  path: '/api/integrations',
  access: 'integrationConfig.read',
  summary: 'Interfaces to other systems of merchants in sight, those that cannot be called first',
  filters: {
    integration: zSearch.optional(),
    merchantId: zId.optional(),
    parentClass: zAnyOf(integrationParents).optional(),
    childClass: zAnyOf(integrationChildren).optional(),
    state: z.enum(integrationState.states).optional(),
    hindrance: z.enum(integrationHindrances).optional(),
  },
  sorts: ['worst', 'merchant', 'uses'],
  item: config,
})

export const integrationFields = {
  merchantName: { kind: 'text' },
  merchantCode: { kind: 'code' },
  machineCode: { kind: 'ref', to: 'shj/wdshj', by: 'code' },
  parentClass: { kind: 'state', words: 'parentClass', tones: {} },
  childClass: { kind: 'state', words: 'childClass', tones: {} },
  interfaceType: { kind: 'state', words: 'interfaceType', tones: {} },
  path: { kind: 'text' },
  useCount: { kind: 'count' },
  maxCount: { kind: 'count' },
  state: stateField('integrationState', integrationState, { enabled: 'good', disabled: 'idle' }),
  hindrance: stateField('hindrance', integrationHindrances, { disabled: 'idle', expired: 'bad', spent: 'bad' }),
  expiresOn: { kind: 'day' },
  contractNumber: { kind: 'code' },
} satisfies Fields

export const getIntegration = endpoint({
  name: 'merchant.getIntegration',
  method: 'GET',
  path: '/api/integrations/{id}',
  access: 'integrationConfig.read',
  input: z.strictObject({ id: zId }),
  output: config.extend({ version: z.int(), createdAt: zInstant, secretSetAt: zInstant.nullable() }),
  refusals: ['request.notFound'],
  summary: 'One interface; its secret is never answered',
})

const changed = z.object({ id: z.int() })

export const addIntegration = endpoint({
  name: 'merchant.addIntegration',
  method: 'POST',
  path: '/api/integrations',
  access: 'integrationConfig.write',
  writes: true,
  input: z.strictObject({ merchantId: zId, machineCode: zSearch.nullable().default(null), ...editable }),
  output: changed,
  refusals: [
    'request.notFound',
    'integrationConfig.beyond',
    'integrationConfig.exists',
    'integrationConfig.noMachine',
    'integrationConfig.pathMissing',
    'integrationConfig.pathUnused',
  ],
  summary: 'Configure an interface of a merchant, or of one of its machines; one of each class',
})

export const editIntegration = endpoint({
  name: 'merchant.editIntegration',
  method: 'POST',
  path: '/api/integrations/{id}/edit',
  access: 'integrationConfig.write',
  writes: true,
  input: z.strictObject({ id: zId, version: z.int(), ...editable }),
  output: changed,
  refusals: [
    'request.notFound',
    'integrationConfig.beyond',
    'edit.stale',
    'integrationConfig.exists',
    'integrationConfig.maxBelowUse',
    'integrationConfig.pathMissing',
    'integrationConfig.pathUnused',
  ],
  summary: 'Change an interface',
})

const verb = (name: string, path: string, summary: string, more: readonly string[]) =>
  endpoint({
    name: `merchant.${name}`,
    method: 'POST',
    path: `/api/integrations/{id}/${path}`,
    access: 'integrationConfig.write',
    writes: true,
    input: z.strictObject({ id: zId }),
    output: changed,
    refusals: ['request.notFound', 'integrationConfig.beyond', ...more],
    summary,
  })

export const enableIntegration = verb('enableIntegration', 'enable', 'Let an interface be called', [
  'integrationConfig.state',
  'integrationConfig.noSecret',
  'integrationConfig.notOffered',
])
export const disableIntegration = verb('disableIntegration', 'disable', 'Let an interface be called no more', [
  'integrationConfig.state',
])
export const removeIntegration = verb('removeIntegration', 'remove', 'Delete an interface that was never called', [
  'integrationConfig.used',
])

export const rotateIntegrationSecret = endpoint({
  name: 'merchant.rotateIntegrationSecret',
  method: 'POST',
  path: '/api/integrations/{id}/rotate-secret',
  access: 'integrationConfig.secret',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({ secret: z.string() }),
  refusals: ['request.notFound', 'integrationConfig.beyond'],
  summary: 'Make a new secret key for an interface; shown once, the old one is forgotten',
})
