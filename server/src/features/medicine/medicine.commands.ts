import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type * as contract from '@aisle/contract/medicine/medicine'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { existing } from '../../kernel/refuse'
import { addProduct, editProduct, loadProduct } from '../catalog/public'
import { typedOf } from './medicine.reads'
import { medicineNames, type MedicineTyped, putMedicine } from './medicine.store'

const audit = auditAs('medicine')

/** A product by catalog's own command, and beside it what is known of the medicine. */
export async function addMedicine(ctx: CommandContext, input: InputOf<typeof contract.addMedicine>) {
  const { product, typed } = apart(input)
  const { id } = await addProduct(ctx, product, typed.medicineClass)
  await putMedicine(ctx.tx, id, typed)
  await audit(ctx, { id, merchantId: input.merchantId }, null, typed)
  return { id }
}

export async function editMedicine(ctx: CommandContext, input: InputOf<typeof contract.editMedicine>) {
  const { id, version } = input
  const row = await loadProduct(ctx, id)
  const before = existing((await typedOf(ctx.tx, id)) ?? undefined)
  const { product, typed } = apart(input)
  refuseStale(ctx, { version }, row, { ...row, ...before }, { ...product, ...typed })
  await editProduct(ctx, { ...product, version: row.version }, typed.medicineClass)
  await putMedicine(ctx.tx, id, typed)
  await audit(ctx, row, before, typed)
  return { id }
}

/** A verb of products, for those that are medicines. */
export const whileMedicine =
  (verb: (ctx: CommandContext, input: { id: number }) => Promise<{ id: number }>) =>
  async (ctx: CommandContext, input: { id: number }) => {
    existing((await typedOf(ctx.tx, input.id)) ?? undefined)
    return verb(ctx, input)
  }

/** What catalog keeps, and what is kept here. */
function apart<I extends MedicineTyped>(input: I): { product: Omit<I, keyof MedicineTyped>; typed: MedicineTyped } {
  const isHere = (name: string) => (medicineNames as string[]).includes(name)
  const part = (own: boolean) => Object.fromEntries(Object.entries(input).filter(([name]) => isHere(name) === own))
  return { product: part(false) as Omit<I, keyof MedicineTyped>, typed: part(true) as MedicineTyped }
}
