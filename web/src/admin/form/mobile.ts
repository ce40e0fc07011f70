import { invalidPhone, type PhoneRule, zPhone } from '@aisle/contract/identity/phone'
import type { z } from 'zod'

let rule: PhoneRule = 'wide'

/** Which second digits of a mobile number the platform takes; said beside the field before anything is sent. */
export const mobileRuleIs = (next: PhoneRule): void => {
  rule = next
}
export const mobileRule = (): PhoneRule => rule

/** @param inside of the field's schema; every person's mobile number has the same one */
export const isMobile = (inside: z.core.$ZodType | undefined): boolean => inside === zPhone

export const isWrongMobile = (inside: z.core.$ZodType | undefined, value: unknown): boolean =>
  isMobile(inside) && typeof value === 'string' && value !== '' && invalidPhone(value.trim(), rule)
