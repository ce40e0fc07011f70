import { z } from 'zod'
import { zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { entity } from '../kernel/entity'
import { defineRefusals } from '../kernel/refusal'
import { interfaceTypes } from './service'
import { providers } from './states'

export const paymentProviderRefusals = defineRefusals('payment', { 'paymentProvider.nameTaken': 409 })

/**
 * Who customers pay through besides the three that are shipped: a bank or aggregator that speaks the protocol of one of
 * them at an address of its own. Its services are its own, and on or off by themselves.
 */
export const paymentProvider = entity({
  domain: 'payment',
  kind: 'paymentProvider',
  path: '/api/payment-providers',
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
  unique: { payment_provider_name: 'paymentProvider.nameTaken' },
  filters: { q: zSearch.optional(), provider: z.enum(providers).optional() },
  sorts: ['name'],
})

export const listPaymentProviders = paymentProvider.list('Payment providers with a name of their own')
export const getPaymentProvider = paymentProvider.get('One payment provider', {})
export const addPaymentProvider = paymentProvider.add('Add a payment provider; its services are on from then')
export const editPaymentProvider = paymentProvider.edit('Change the name of a payment provider')
export const removePaymentProvider = paymentProvider.remove('Delete a payment provider at which nobody has numbers')
