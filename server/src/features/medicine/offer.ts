import type { InputOf } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/medicine/offer'
import { type RawBuilder, sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { kept } from '../../kernel/kept'
import { refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'

const offers = kept(contract.medicineOffer, {
  table: 'medicineOffer',
  joins: () => sql`join product p on p.id = medicine_offer.product_id and p.medicine_class is not null
    join merchant maker on maker.id = p.merchant_id`,
  facts: () => ({
    productName: sql`p.name`,
    productCode: sql`p.code`,
    specification: sql`p.specification`,
    medicineClass: sql`p.medicine_class`,
    ownerName: sql`maker.name`,
    ownerFen: sql`p.price_fen`,
    ownerState: sql`p.state`,
  }),
  search: ['productName', 'productCode'],
})

export const routes: Route[] = [
  ...listOf(contract.listMedicineOffers, offers.list),
  query(contract.getMedicineOffer, offers.get),
  command(contract.addMedicineOffer, addOffer),
  command(contract.editMedicineOffer, offers.edit),
  command(contract.stopMedicineOffer, offers.move('stop')),
  command(contract.resumeMedicineOffer, offers.move('resume')),
  command(contract.removeMedicineOffer, offers.remove),
]

/** A medicine of the pharmacy itself or of a merchant above; of others nothing is said. */
async function addOffer(
  ctx: CommandContext,
  input: InputOf<typeof contract.addMedicineOffer>,
): Promise<{ id: number }> {
  const found = await sql`select from product p join merchant own on own.id = ${input.merchantId}
    where p.id = ${input.productId} and p.kind = 'medicine' and p.merchant_id = any(own.path)`.execute(ctx.tx)
  if (found.rows.length === 0) refuse('offer.notOfLine')
  return offers.add(ctx, input)
}

type Sql = RawBuilder<unknown>

/** Whether a merchant offers a product: its own word, else that of the nearest above that has said one. */
export const isOffered = (merchantPath: Sql, productId: Sql): RawBuilder<boolean> =>
  sql<boolean>`coalesce((${wordOf(merchantPath, productId, sql`o.state = 'active'`, sql`true`)}), true)`

/** At which price: its own, else that of the nearest above that has set one; null where nobody has. */
export const offeredFen = (merchantPath: Sql, productId: Sql): Sql =>
  sql`(${wordOf(merchantPath, productId, sql`o.price_fen`, sql`o.price_fen is not null`)})`

const wordOf = (path: Sql, productId: Sql, said: Sql, where: Sql) => sql`
  select ${said} from medicine_offer o where o.product_id = ${productId} and o.merchant_id = any(${path}) and ${where}
  order by array_position(${path}, o.merchant_id) desc limit 1`
