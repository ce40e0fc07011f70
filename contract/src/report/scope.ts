import { z } from 'zod'
import { zDay, zId, zSearch } from '../kernel/endpoint'
import { businessTypes, paymentMethods } from '../trade/states'

/**
 * What a report is of: business days, both included (without them the last 30, at most a year), and machines. The
 * merchant is the one of the sale, with all below it; the machines are always those in the caller's sight.
 */
export const scopeFilters = {
  from: zDay.optional(),
  to: zDay.optional(),
  merchantId: zId.optional(),
  machineCode: zSearch.optional(),
}

/** Of reports that tell orders apart by how and for what they were paid. */
export const paidFilters = {
  ...scopeFilters,
  method: z.enum(paymentMethods).optional(),
  businessType: z.enum(businessTypes).optional(),
}

export const saleFilters = { ...paidFilters, pointId: zId.optional() }
