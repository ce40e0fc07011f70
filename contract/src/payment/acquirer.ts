import { z } from 'zod'
import { zAnyOf, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { interfaceTypes } from './service'
import { providers } from './states'

export const acquirerRefusals = defineRefusals('payment', { 'acquirer.nameTaken': 409 })

/**
 * Who customers pay through besides the three that are shipped: a bank or aggregator that speaks the protocol of one of
 * them at an address of its own. Its services are its own, and on or off by themselves.
 */
export const acquirer = entity({
  domain: 'payment',
  kind: 'acquirer',
  path: '/api/acquirers',
  right: 'paymentService',
  owner: 'platform',
  fixed: { provider: z.enum(providers) },
  editable: { name: zNeeded(60), remark: zLine(200).default('') },
  facts: {
    interfaceType: z.enum(Object.values(interfaceTypes)),
    /** Numbers that merchants in sight have at it. */
    numbers: z.int(),
  },
  show: {
    provider: { kind: 'state', words: 'provider', tones: {} },
    interfaceType: { kind: 'state', words: 'interfaceType', tones: {} },
  },
  unique: { acquirer_name: 'acquirer.nameTaken' },
  filters: { q: zSearch.optional(), provider: zAnyOf(providers).optional() },
  sorts: ['name'],
})

export const listAcquirers = acquirer.list('Acquirers: banks and aggregators that speak a provider’s protocol')
export const getAcquirer = acquirer.get('One acquirer', {})
export const addAcquirer = acquirer.add('Add an acquirer; its services are on from then')
export const editAcquirer = acquirer.edit('Change the name of an acquirer')
export const removeAcquirer = acquirer.remove('Delete an acquirer at which nobody has numbers')
