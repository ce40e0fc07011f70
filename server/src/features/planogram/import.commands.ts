import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { importTemplates, listParentTemplates } from '@aisle/contract/planogram/template'
import { sql } from 'kysely'
import type { CommandContext, Reader } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { make } from './template.commands'
import { factsOf, findLines, templateColumns, type TemplateRow } from './template.store'

type Offered = OutputOf<typeof listParentTemplates>
type Parent = { parentId: number | null; parentName: string | null }

/** Only the merchant right above is read, by who sees the merchant that would have the copies. */
export async function findOffered(db: Reader, sight: Sight, merchantId: number): Promise<Offered | undefined> {
  const parent = await findParent(db, sight, merchantId)
  if (!parent) return undefined
  const found = await sql<Offered['items'][number]>`
    select t.id, t.name, t.remark,
      (select count(*)::int from template_slot s where s.template_id = t.id) as "slotCount",
      exists (select 1 from template own where own.merchant_id = ${merchantId} and own.name = t.name) as "isTaken"
    from template t where t.merchant_id = ${parent.parentId} order by t.name limit 500`.execute(db)
  return { parentName: parent.parentName, items: found.rows }
}

async function findParent(db: Reader, sight: Sight, merchantId: number): Promise<Parent | undefined> {
  const found = await sql<Parent>`select c.parent_id as "parentId", above.name as "parentName"
    from merchant c left join merchant above on above.id = c.parent_id
    where c.id = ${merchantId} and ${merchantInSight(sight, sql`c.id`)}`.execute(db)
  return found.rows[0]
}

/** Of a name that the merchant has already, none is imported (specification, section 5); the answer says which. */
export async function importAll(
  ctx: CommandContext,
  { id: merchantId, templateIds }: InputOf<typeof importTemplates>,
): Promise<OutputOf<typeof importTemplates>> {
  const parent = existing(await findParent(ctx.tx, sightOf(ctx.actor), merchantId))
  const ids = [...new Set(templateIds)]
  const found = await sql<TemplateRow>`select ${templateColumns} from template t
    where t.merchant_id = ${parent.parentId} and t.id = any(${ids}::bigint[]) order by t.name`.execute(ctx.tx)
  if (found.rows.length < ids.length) refuse('request.notFound')
  const own = await sql<{ name: string }>`select name from template where merchant_id = ${merchantId}`.execute(ctx.tx)
  const taken = new Set(own.rows.map(({ name }) => name))
  const fresh = found.rows.filter(({ name }) => !taken.has(name))
  for (const template of fresh) {
    await make(ctx, merchantId, factsOf(template), await findLines(ctx.tx, template.id))
  }
  const skipped = found.rows.filter(({ name }) => taken.has(name)).map(({ name }) => name)
  if (fresh.length === 0) {
    const after = { skipped: skipped.join(', ') }
    await ctx.audit({ merchantId, objectKind: 'template', objectId: merchantId, before: null, after })
  }
  return { imported: fresh.map(({ name }) => name), skipped }
}
