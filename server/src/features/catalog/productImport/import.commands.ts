import type { importProducts, previewProducts } from '@aisle/contract/catalog/productImport'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext, QueryContext } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { refuseUnseenMerchant, sightOf } from '../../../kernel/scope'
import { readSheet } from '../../../kernel/sheet/sheet.form'
import { judgeRows } from '../../../kernel/sheet/sheet.judge'
import { recordPrices } from '../price.store'
import { findPictured, findWorld } from './import.reads'
import { judgeProduct, type NewProduct, productSheet } from './import.rules'
import { countBare, insertBarcodes, insertConditions, insertProducts, tieKnown } from './import.store'

type Asked = InputOf<typeof importProducts>

const audit = auditAs('product')

export async function preview(ctx: QueryContext, asked: Asked): Promise<OutputOf<typeof previewProducts>> {
  const { good, ...judged } = await judge(ctx, asked)
  const bare = good.filter(({ picture }) => picture === null)
  const pictured = await findPictured(
    ctx.db,
    bare.flatMap(({ barcodes }) => barcodes.map(({ code }) => code)),
  )
  const still = bare.filter(({ barcodes }) => !barcodes.some(({ code }) => pictured.has(code)))
  return { ...judged, good: good.length, bare: still.length }
}

/**
 * The sheet is judged again, since the world may have moved on between the look and the word. Nothing of it is offered
 * to the library by itself: thousands of additions are for somebody to decide.
 */
export async function importGood(ctx: CommandContext, asked: Asked): Promise<OutputOf<typeof importProducts>> {
  const { merchantId } = asked
  const { good, rows, faultCount } = await judge(ctx, asked)
  if (good.length === 0) refuse('sheet.faulty', { count: faultCount })
  const ids = await insertProducts(ctx.tx, merchantId, good, ctx.now())
  const made = good.flatMap((each) => {
    const productId = ids.get(each.code)
    return productId === undefined ? [] : [{ ...each, productId }]
  })
  if (made.length < good.length) refuse('product.meanwhile')
  const codes = made.flatMap(({ productId, barcodes }) => barcodes.map((each) => ({ productId, ...each })))
  if (!(await insertBarcodes(ctx.tx, merchantId, codes))) refuse('product.meanwhile')
  await insertConditions(
    ctx.tx,
    made.flatMap(({ productId, conditionIds }) => conditionIds.map((categoryId) => ({ productId, categoryId }))),
  )
  const all = made.map(({ productId }) => productId)
  await tieKnown(ctx.tx, all)
  await recordPrices(ctx.tx, all, { by: ctx.actor.userId, at: ctx.now(), reason: '' })
  for (const { productId, ...facts } of made) await audit(ctx, { id: productId, merchantId }, null, known(facts))
  return { added: made.length, left: rows - made.length, bare: await countBare(ctx.tx, all) }
}

/** What the sheet said of it. */
const known = (facts: NewProduct): Record<string, unknown> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== '' && value !== false))

async function judge(ctx: QueryContext, { merchantId, file }: Asked) {
  await refuseUnseenMerchant(ctx.db, sightOf(ctx.actor), merchantId)
  const rows = await readSheet(productSheet, file, { userId: ctx.actor.userId, language: ctx.language })
  const world = await findWorld(ctx.db, merchantId, rows)
  const seen = { codes: new Set<string>(), barcodes: new Set<string>() }
  return judgeRows(productSheet, ctx.language, rows, (cells) => judgeProduct(cells, world, seen))
}
