import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type {
  createDictionaryItem,
  deleteDictionaryItem,
  editDictionaryItem,
  switchDictionaryItem,
} from '@aisle/contract/system/dictionary'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { refuseInUse, refuseStale } from '../../kernel/edit'
import { only } from '../../kernel/must'
import { existing, refuse } from '../../kernel/refuse'
import { isPlatform, refuseUnseenMerchant, sightOf } from '../../kernel/scope'
import { findItem, type ItemInSight, mayWrite } from './dictionary.reads'
import { usesOf } from './dictionary.uses'

type Type = { id: number; code: string; allowsMerchants: boolean }

export async function createItem(ctx: CommandContext, input: InputOf<typeof createDictionaryItem>) {
  const { type: typeCode, merchantId, code, zh, en, fr, ko, sort } = input
  if (merchantId === null && !isPlatform(ctx)) refuse('dictionary.platformOnly')
  const type = existing(await lockType(ctx, typeCode))
  if (merchantId !== null) {
    await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
    if (!type.allowsMerchants) refuse('dictionary.noMerchantItems')
  }
  await refuseTaken(ctx, { typeId: type.id, merchantId, code, exceptId: null })
  const made = await sql<{ id: number }>`
    insert into dictionary_item (type_id, merchant_id, code, zh, en, fr, ko, sort)
    values (${type.id}, ${merchantId}, ${code}, ${zh}, ${en}, ${fr}, ${ko}, ${sort}) returning id`.execute(ctx.tx)
  const id = only(made).id
  await audit(ctx, { id, merchantId }, null, { type: typeCode, code, zh, en, fr, ko, sort })
  return { id }
}

export async function editItem(ctx: CommandContext, input: InputOf<typeof editDictionaryItem>) {
  const item = await lockItem(ctx, input.id)
  const { id, version, ...wanted } = input
  refuseStale(ctx, { version }, item, item, wanted)
  if (wanted.code !== item.code) {
    if ((await usesOf(ctx.tx, item)).length > 0) refuse('dictionary.codeInUse', { code: item.code })
    await refuseTaken(ctx, { typeId: item.typeId, merchantId: item.merchantId, code: wanted.code, exceptId: id })
  }
  const { code, zh, en, fr, ko, sort } = wanted
  const made = await sql<{ version: number }>`update dictionary_item set code = ${code}, zh = ${zh}, en = ${en},
      fr = ${fr}, ko = ${ko}, sort = ${sort}, version = version + 1
    where id = ${id} returning version`.execute(ctx.tx)
  await audit(ctx, item, factsOf(item), wanted)
  return { version: made.rows[0]?.version ?? 0 }
}

export async function switchItem(ctx: CommandContext, { id, isOn }: InputOf<typeof switchDictionaryItem>) {
  const item = await lockItem(ctx, id)
  await sql`update dictionary_item set is_on = ${isOn}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, item, { isOn: item.isOn }, { isOn })
  return { isOn }
}

export async function deleteItem(ctx: CommandContext, { id }: InputOf<typeof deleteDictionaryItem>) {
  const item = await lockItem(ctx, id)
  refuseInUse(await usesOf(ctx.tx, item))
  await sql`delete from dictionary_item where id = ${id}`.execute(ctx.tx)
  await audit(ctx, item, factsOf(item), null)
  return { id }
}

/** Locks the type, so that no two items take one code at the same moment. */
async function lockType(ctx: CommandContext, code: string): Promise<Type | undefined> {
  const found = await sql<Type>`select id, code, allows_merchants as "allowsMerchants" from dictionary_type
    where code = ${code} for update`.execute(ctx.tx)
  return found.rows[0]
}

/** An item that the person may change. @throws Refusal for one out of sight, or only to be read */
async function lockItem(ctx: CommandContext, id: number): Promise<ItemInSight> {
  await sql`select 1 from dictionary_type t join dictionary_item i on i.type_id = t.id
    where i.id = ${id} for update of t, i`.execute(ctx.tx)
  const sight = sightOf(ctx.actor)
  const item = existing(await findItem(ctx.tx, sight, id, ctx.language))
  return mayWrite(sight, item) ? item : refuse('dictionary.platformOnly')
}

type Wanted = { typeId: number; merchantId: number | null; code: string; exceptId: number | null }

/** Among all that one merchant may see together: the platform's, those of merchants above, and of merchants below. */
async function refuseTaken(ctx: CommandContext, { typeId, merchantId, code, exceptId }: Wanted): Promise<void> {
  const found = await sql`select 1 from dictionary_item i
    left join merchant own on own.id = ${merchantId} left join merchant other on other.id = i.merchant_id
    where i.type_id = ${typeId} and i.code = ${code} and i.id is distinct from ${exceptId}::bigint
      and (${merchantId}::bigint is null or i.merchant_id is null
        or i.merchant_id = any(own.path) or ${merchantId} = any(other.path))`.execute(ctx.tx)
  if (found.rows.length > 0) refuse('dictionary.codeTaken', { code }, [])
}

const factsOf = ({ code, zh, en, fr, ko, sort }: ItemInSight) => ({ code, zh, en, fr, ko, sort })

const audit = auditAs('dictionaryItem')
