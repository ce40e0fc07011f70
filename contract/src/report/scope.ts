import { z } from 'zod'
import { zAnyOf, zDay, zId, zSearch } from '../kernel/endpoint'
import { businessTypes, paymentMethods } from '../trade/states'

/**
 * What a report is of: business days, both included (without them the last 30, at most a year), and machines. The
 * merchant is the one of the sale, with all below it; the machines are always those in the caller's sight.
 */
export const timeFilters = {
  from: zDay.optional(),
  to: zDay.optional(),
  /** What it is compared with: the days right before, the same days a year earlier, or as many from this day on. */
  against: z.union([z.literal('lastYear'), zDay]).optional(),
  merchantId: zId.optional(),
}

export const scopeFilters = { ...timeFilters, machineCode: zSearch.optional() }

/** Of reports that tell orders apart by how and for what they were paid. */
export const paidFilters = {
  ...scopeFilters,
  method: zAnyOf(paymentMethods).optional(),
  businessType: zAnyOf(businessTypes).optional(),
}

export const saleFilters = { ...paidFilters, pointId: zId.optional(), hospitalId: zId.optional() }
