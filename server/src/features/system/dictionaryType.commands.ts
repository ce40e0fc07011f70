import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { createDictionaryType, deleteDictionaryType, editDictionaryType } from '@aisle/contract/system/dictionary'
import { sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { refuseInUse, refuseStale } from '../../kernel/edit'
import { refuse } from '../../kernel/refuse'
import { auditMerchant, isPlatform, platformRow } from './platform'

export async function createType(ctx: CommandContext, input: InputOf<typeof createDictionaryType>) {
  if (!isPlatform(ctx)) refuse('dictionary.platformOnly')
  const { code, zh, en, fr, ko, remark, allowsMerchants, sort } = input
  const made = await sql<{ id: number }>`
    insert into dictionary_type (code, zh, en, fr, ko, remark, allows_merchants, sort)
    values (${code}, ${zh}, ${en}, ${fr}, ${ko}, ${remark}, ${allowsMerchants}, ${sort})
    on conflict (code) do nothing returning id`.execute(ctx.tx)
  const id = made.rows[0]?.id ?? refuse('dictionary.codeTaken', { code })
  await audit(ctx, id, null, input)
  return { id }
}

export async function editType(ctx: CommandContext, input: InputOf<typeof editDictionaryType>) {
  const type = await lock(ctx, input.id)
  const { id, version, ...wanted } = input
  refuseStale(ctx, { version }, type, type, wanted)
  if (type.allowsMerchants && !wanted.allowsMerchants) refuseInUse(await merchantsWithItems(ctx, id))
  const made = await sql<{ version: number }>`update dictionary_type set zh = ${wanted.zh}, en = ${wanted.en},
      fr = ${wanted.fr}, ko = ${wanted.ko}, remark = ${wanted.remark}, allows_merchants = ${wanted.allowsMerchants},
      sort = ${wanted.sort}, version = version + 1
    where id = ${id} returning version`.execute(ctx.tx)
  await audit(ctx, id, factsOf(type), wanted)
  return { version: made.rows[0]?.version ?? 0 }
}

export async function deleteType(ctx: CommandContext, { id }: InputOf<typeof deleteDictionaryType>) {
  const type = await lock(ctx, id)
  if (type.isSystem) refuse('dictionary.systemType')
  const found = await sql<{ zh: string }>`select zh from dictionary_item where type_id = ${id}
    order by sort, id limit 21`.execute(ctx.tx)
  refuseInUse(found.rows.map(({ zh }) => zh))
  await sql`delete from dictionary_type where id = ${id}`.execute(ctx.tx)
  await audit(ctx, id, factsOf(type), null)
  return { id }
}

type Row = Omit<InputOf<typeof editDictionaryType>, 'id'> & { code: string; isSystem: boolean }

async function lock(ctx: CommandContext, id: number): Promise<Row> {
  platformRow(ctx)
  const found = await sql<Row>`select code, zh, en, fr, ko, remark, allows_merchants as "allowsMerchants",
      is_system as "isSystem", sort, version
    from dictionary_type where id = ${id} for update`.execute(ctx.tx)
  return found.rows[0] ?? refuse('request.notFound')
}

async function merchantsWithItems(ctx: CommandContext, typeId: number): Promise<string[]> {
  const found = await sql<{ name: string }>`select distinct m.name from dictionary_item i
    join merchant m on m.id = i.merchant_id where i.type_id = ${typeId} order by m.name limit 21`.execute(ctx.tx)
  return found.rows.map(({ name }) => name)
}

const factsOf = ({ isSystem: _, version: __, ...facts }: Row): Record<string, unknown> => facts

const audit = (
  ctx: CommandContext,
  id: number,
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
) => ctx.audit({ merchantId: auditMerchant(ctx), objectKind: 'dictionaryType', objectId: id, before, after })
