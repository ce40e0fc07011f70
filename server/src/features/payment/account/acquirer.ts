import * as contract from '@aisle/contract/payment/acquirer'
import { paymentProducts } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import type { CommandContext } from '../../../kernel/context'
import { kept } from '../../../kernel/kept'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { merchantInSight, platformRow } from '../../../kernel/scope'
import { interfaceOf } from './service.reads'

const acquirers = kept(contract.acquirer, {
  table: 'acquirer',
  facts: (sight) => ({
    interfaceType: interfaceOf(sql`provider`),
    numbers: sql`(select count(*)::int from provider_account n
      where n.acquirer_id = acquirer.id and ${merchantInSight(sight, sql`n.merchant_id`)})`,
  }),
  search: ['name', 'remark'],
  uses: (id) => sql`select m.name || ' ' || n.name as name from provider_account n
    join merchant m on m.id = n.merchant_id where n.acquirer_id = ${id} order by 1`,
})

/** What customers may pay through is the platform's to say. */
export const routes: Route[] = [
  ...listOf(contract.listAcquirers, acquirers.list),
  query(contract.getAcquirer, acquirers.get),
  command(contract.addAcquirer, (ctx, input) => add(platformRow(ctx), input)),
  command(contract.editAcquirer, (ctx, input) => acquirers.edit(platformRow(ctx), input)),
  command(contract.removeAcquirer, (ctx, input) => acquirers.remove(platformRow(ctx), input)),
]

async function add(ctx: CommandContext, input: Parameters<typeof acquirers.add>[1]) {
  const { id } = await acquirers.add(ctx, input)
  await sql`insert into payment_service (provider, product, acquirer_id)
    select ${input.provider}, product, ${id} from unnest(${[...paymentProducts]}::text[]) product`.execute(ctx.tx)
  return { id }
}
