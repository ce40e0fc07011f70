import type { MedicineClass, UnlawfulReason } from '@aisle/contract/catalog/product'
import type { CallContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { word } from '../../kernel/words'
import type { PlanMachine } from './machine.store'
import { unlawfulSlots } from './slot.rules'

type Judged = { row: { code: string }; medicineClass: MedicineClass | null }

/** @throws Refusal slot.unlawful with each slot and why */
export function refuseUnlawful(
  ctx: Pick<CallContext, 'language'>,
  machine: Pick<PlanMachine, 'code' | 'licenceMode'>,
  slots: readonly Judged[],
): void {
  const found = unlawfulSlots(machine.licenceMode, slots)
  if (found.length === 0) return
  const said = (reason: UnlawfulReason) => word(ctx.language, 'planogram', `law.${reason}`)
  const fields = found.map(({ slot: { row }, reason }) => ({
    path: `slots.${row.code}`,
    reason: 'unlawful',
    msg: `${row.code}: ${said(reason)}`,
  }))
  const codes = found.map(({ slot: { row } }) => row.code).join(' ')
  const reason = found[0]?.reason ?? 'noLicence'
  refuse('slot.unlawful', { code: machine.code, slots: codes, why: said(reason) }, fields)
}
