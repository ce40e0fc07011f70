import { z } from 'zod'

export type PhoneRule = 'wide' | 'narrow'

const shapes: Record<PhoneRule, RegExp> = { wide: /^1[3-9]\d{9}$/, narrow: /^1[34578]\d{9}$/ }

/** Specification §5: true when the number is invalid. Which second digits count is a setting (`phone.rule`). */
export const invalidPhone = (phone: string, rule: PhoneRule = 'wide'): boolean => !shapes[rule].test(phone)

/** A mobile number of a person. The wider rule; where the setting is narrow, the server refuses more. */
export const zPhone = z.string().trim().regex(shapes.wide)
