import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

const aSlot = { capacity: 1, alarmThreshold: 1, choice: 'none', isLocked: false }
const aTemplateSlot = { layer: 1, position: 1, productId: null, priceFen: null, capacity: 1, alarmThreshold: 1 }

export const sight: SightCells = {
  hangsOn: {
    templates: 'merchant',
    'price-changes': 'merchant',
  },
  fields: {
    // Only the parent's are taken, and whoever sees the merchant may (planogram/template.test.ts).
    'planogram.importTemplates.templateIds': null,
    // A merchant sells what those above offer, too (planogram/priceChange/change.test.ts).
    'planogram.addPriceChange.productIds': null,
    'planogram.addPriceChange.categoryId': null,
  },
  given: {
    'planogram.saveSlots': { slots: [{ code: 'A1', version: 0, productId: null, priceFen: null, ...aSlot }] },
    'planogram.countSlots': { counts: [{ code: 'A1', counted: 1 }] },
    'planogram.removeSlots': { codes: ['A1'] },
    'planogram.addTemplate': { slots: [aTemplateSlot] },
    'planogram.editTemplate': { version: 0, slots: [aTemplateSlot] },
    'planogram.previewTemplate': { machines: { filter: {}, count: null } },
    'planogram.applyTemplate': { version: 0, machines: { filter: {}, count: 0 } },
  },
  showsAbove: [
    // Templates of the merchant above are there to be imported.
    'planogram.listParentTemplates',
    // A merchant sells what those above offer, too.
    'planogram.listPlaceable',
    'planogram.listTemplateProducts',
  ],
  nothingThere: ['planogram.importTemplates', 'planogram.getTemplateRun'],
  rows: {
    /** With a slot each; one of them is removed by the walk before the list is turned. */
    templates: addTemplates,
    /** A draft of the first machine's first slot. */
    'price-changes': addPriceChange,
  },
}

async function addTemplates(db: Reader, { merchantId, mark, at }: BranchBase): Promise<number> {
  const id = await inserted(
    db,
    sql`insert into template (merchant_id, name, remark, created_at, updated_at)
      select ${merchantId}, ${mark} || ' template ' || n, ${mark}, ${at}, ${at} from generate_series(1, 2) n`,
  )
  await sql`insert into template_slot (template_id, layer, position, capacity, alarm_threshold)
    select id, 1, 1, 8, 1 from template where merchant_id = ${merchantId}`.execute(db)
  return id
}

async function addPriceChange(db: Reader, { merchantId, machines, mark, at }: BranchBase): Promise<number> {
  const [machine] = machines
  const userId = await inserted(
    db,
    sql`insert into app_user (merchant_id, account, display_name, kind)
      values (${merchantId}, left(md5(${mark} || 'prices'), 16), ${mark}, 'ordinary')`,
  )
  const id = await inserted(
    db,
    sql`insert into price_change (merchant_id, rule, amount_fen, round_to, scope, scope_name, products, product_count,
        changes_products, reason, created_by, created_at)
      select ${merchantId}, 'set', 900, 'fen', 'all', '', ${mark}, 1, false, ${mark}, ${userId}, ${at}
      from generate_series(1, 2)`,
  )
  await sql`with placed as (insert into price_change_machine (change_id, machine_id) values (${id}, ${machine?.id}))
    insert into price_change_slot (change_id, machine_id, slot_id, slot_code, product_id, before_fen, after_fen)
    select ${id}, s.machine_id, s.id, s.code, s.product_id, s.price_fen, 900 from slot s
    where s.machine_id = ${machine?.id} and s.product_id is not null limit 1`.execute(db)
  return id
}
