import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { DEMO_OPERATOR, PLATFORM } from '../data/merchants'
import { roleTypes, spareRoles, templates } from '../data/roles'
import { type Ids, idOf } from './people'

/**
 * What makes the rights worth looking at: kinds for the roles of the accounts, the platform's templates, roles of the
 * app, a second role for who works at two jobs, and two other systems.
 */
export async function seedRoles(tx: Tx, ids: { merchants: Ids; users: Ids }): Promise<void> {
  const platformId = idOf(ids.merchants, PLATFORM)
  const operatorId = idOf(ids.merchants, DEMO_OPERATOR)
  await sql`update role set type = kinds.type
    from ${rows('kinds', roleTypes, { name: 'text', type: 'text' })} where role.name = kinds.name`.execute(tx)
  const all = [
    ...templates.map((role) => ({ ...role, merchantId: platformId, isTemplate: true, surface: 'web' })),
    ...spareRoles.map((role) => ({ ...role, merchantId: operatorId, isTemplate: false })),
  ]
  await sql`insert into role (merchant_id, name, description, type, surface, is_template)
    select * from ${rows('r', all, {
      merchantId: 'bigint',
      name: 'text',
      description: 'text',
      type: 'text',
      surface: 'text',
      isTemplate: 'boolean',
    })}`.execute(tx)
  const grants = all.flatMap(({ name, merchantId, grants: own }) =>
    own.map((permission) => ({ name, merchantId, permission })),
  )
  await sql`insert into role_permission (role_id, permission)
    select role.id, g.permission from role
    join ${rows('g', grants, { name: 'text', merchantId: 'bigint', permission: 'text' })}
      on g.name = role.name and g.merchant_id = role.merchant_id`.execute(tx)
  const held = spareRoles.flatMap(({ name, holders }) =>
    holders.map((account) => ({ name, merchantId: operatorId, userId: idOf(ids.users, account) })),
  )
  await sql`insert into user_role (user_id, role_id)
    select h.user_id, role.id from role
    join ${rows('h', held, { name: 'text', merchantId: 'bigint', userId: 'bigint' })}
      on h.name = role.name and h.merchant_id = role.merchant_id`.execute(tx)
  await seedOtherSystems(tx)
}

async function seedOtherSystems(tx: Tx): Promise<void> {
  const parts = { zh: '备件商城', en: 'Spare parts shop', fr: 'Boutique de pièces', ko: '부품 상점' }
  const weather = { zh: '门店天气', en: 'Weather at the sites', fr: 'Météo des sites', ko: '지점 날씨' }
  await sql`insert into external_resource (code, titles, url, description, menu_group) values
    ('ext.parts', ${JSON.stringify(parts)}, 'https://parts.example/', '维修工程师在这里订备件', 'shj'),
    ('ext.weather', ${JSON.stringify(weather)}, 'https://weather.example/', '', null)`.execute(tx)
}
