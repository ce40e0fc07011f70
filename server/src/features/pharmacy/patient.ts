import type { AuthKeys } from '../../kernel/context'
import { seal, unseal } from '../../kernel/seal'
import { maskedName, maskedNumber } from './code.rules'
import { personHash } from './content.rules'

/** As little of a person as a prescription needs; where more than a mask is shown, somebody asked and was noted. */
export type Patient = { name: string; idNumber: string }
export type SealedPatient = {
  sealed: Buffer
  masked: string
  nameHash: Buffer
  idMasked: string
  idHash: Buffer | null
}

export const sealPatient = (keys: AuthKeys, code: string, { name, idNumber }: Patient): SealedPatient => ({
  sealed: seal(keys, about(code), JSON.stringify([name, idNumber])),
  masked: maskedName(name),
  nameHash: personHash(keys, 'name', name),
  idMasked: maskedNumber(idNumber),
  idHash: idNumber === '' ? null : personHash(keys, 'id', idNumber),
})

/** Whose data was erased, as the law allows once it is old, has none. */
export function openPatient(keys: AuthKeys, code: string, sealed: Buffer): Patient {
  if (sealed.length === 0) return { name: '', idNumber: '' }
  const [name, idNumber] = JSON.parse(unseal(keys, about(code), sealed)) as [string, string]
  return { name, idNumber }
}

const about = (code: string) => `prescription:${code}`
