import type { AuthKeys } from '../../kernel/context'
import { seal, unseal } from '../../kernel/seal'

export type Numbers = { accountNumber: string; documentNumber: string }

const about = (id: number) => `bank-account:${id}`

/** Both numbers of one wording as they are kept; they open only as part of the row they were sealed for. */
export const sealNumbers = (keys: AuthKeys, id: number, numbers: Numbers): Buffer =>
  seal(keys, about(id), `${numbers.accountNumber}\n${numbers.documentNumber}`)

export function unsealNumbers(keys: AuthKeys, { id, sealed }: { id: number; sealed: Buffer | null }): Numbers {
  if (!sealed) return { accountNumber: '', documentNumber: '' }
  const [accountNumber = '', documentNumber = ''] = unseal(keys, about(id), sealed).split('\n')
  return { accountNumber, documentNumber }
}

/** What may be read without opening the seal. */
export const tailOf = (number: string): string => number.slice(-4)
