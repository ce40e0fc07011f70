import { sql } from 'kysely'
import type { AuthKeys, Tx } from '../../kernel/context'
import { seal } from '../../kernel/seal'
import { DEMO_OPERATOR } from '../data/merchants'
import { idOf, type Ids } from '../people/people'

type About = { machines: Ids; merchants: Ids; users: Ids }

/** How the machines are run: areas, routes, groups, assortments and official accounts. */
export async function seedOperations(tx: Tx, ids: About, about: { keys: AuthKeys; now: Date }): Promise<void> {
  const { now } = about
  await seedAreas(tx)
  await seedRoutes(tx, ids)
  await seedOperators(tx)
  await seedGroups(tx, now)
  await seedAssortments(tx, now)
  await seedAccounts(tx, ids, about)
}

/** A province is an area, a city's part that the address names a district. */
async function seedAreas(tx: Tx): Promise<void> {
  await sql`insert into area (merchant_id, name)
    select distinct merchant_id, regexp_replace(province, '(省|市|(壮族|回族|维吾尔)?自治区)$', '') || '大区'
    from point order by 1, 2`.execute(tx)
  await sql`with placed as (
      select p.id, p.merchant_id, a.id as area_id,
        regexp_replace(p.city, '市$', '') || coalesce(' ' || substring(p.address from '^[^0-9 ]{1,6}?[区县市]'), '') as name
      from point p join area a on a.merchant_id = p.merchant_id
        and a.name = regexp_replace(p.province, '(省|市|(壮族|回族|维吾尔)?自治区)$', '') || '大区'
    ), made as (
      insert into district (merchant_id, area_id, name) select distinct merchant_id, area_id, name from placed
      returning id, area_id, name)
    update point set district_id = made.id from placed join made using (area_id, name)
    where point.id = placed.id`.execute(tx)
}

/** A city is driven by somebody of its region's operator, in as many routes as a day allows. */
async function seedRoutes(tx: Tx, { users }: About): Promise<void> {
  await sql`with stop as (
      select m.id, c.path[2] as merchant_id, p.city,
        row_number() over (partition by c.path[2], p.city order by p.name, m.code) - 1 as at
      from machine m join merchant c on c.id = m.merchant_id join point p on p.id = m.point_id
      where cardinality(c.path) > 1
    ), planned as (
      select id, merchant_id, at % 14 as at,
        regexp_replace(city, '市$', '') || (array['一', '二', '三', '四', '五', '六', '七', '八', '九'])[
          least(9, at / 14 + 1)] || '线' as name
      from stop
    ), made as (
      insert into route (merchant_id, name, weekdays)
      select distinct merchant_id, name, case abs(hashtext(name)) % 3 when 0 then '{1,3,5,7}'::int[]
        when 1 then '{2,4,6}' else '{1,2,3,4,5}' end from planned
      returning id, merchant_id, name)
    update machine set route_id = made.id, route_order = planned.at
    from planned join made using (merchant_id, name) where machine.id = planned.id`.execute(tx)
  await sql`update route r set user_id = (
      select u.id from app_user u where u.merchant_id = r.merchant_id and u.kind = 'ordinary' and u.state = 'active'
        and u.account not in ('maintainer', 'pharmacist', 'doctor', 'finance')
      order by md5(r.name || u.account) limit 1)`.execute(tx)
  await sql`update route set user_id = ${idOf(users, 'operator')} where name = '杭州一线'`.execute(tx)
}

/** Machines away from the shops are run by an operator of their city, where there is one. */
async function seedOperators(tx: Tx): Promise<void> {
  await sql`update machine m set operator_id = o.id from point p, organisation o
    where p.id = m.point_id and p.kind <> 'store' and o.merchant_id = m.merchant_id and o.kind = 'operator'
      and o.state = 'active' and p.city = left(o.name, 2) || '市'`.execute(tx)
}

async function seedGroups(tx: Tx, now: Date): Promise<void> {
  const groups = [
    { name: '医院药品柜', remark: '售药机，价格与促销需药师确认', where: sql`m.category = 'medicine'` },
    { name: '写字楼与园区', remark: '工作日售卖为主，周末可缩短补货', where: sql`p.kind in ('office', 'campus')` },
    {
      name: '近三个月新投放',
      remark: '观察期：每周复盘选品与销量',
      where: sql`m.deployed_at > ${now}::timestamptz - interval '90 days'`,
    },
  ]
  for (const [sort, { name, remark, where }] of groups.entries()) {
    await sql`with made as (
        insert into machine_group (merchant_id, name, remark, sort, created_at)
        select id, ${name}, ${remark}, ${sort + 1}, ${now} from merchant where cardinality(path) = 2
        returning id, merchant_id)
      insert into machine_group_member (group_id, machine_id, added_at)
      select made.id, m.id, ${now} from made join merchant c on c.path @> array[made.merchant_id]
      join machine m on m.merchant_id = c.id join point p on p.id = m.point_id where ${where}`.execute(tx)
  }
}

/** What offices have now but for a few: those are left to be cleared out. */
async function seedAssortments(tx: Tx, now: Date): Promise<void> {
  await sql`with made as (
      insert into assortment (merchant_id, name, remark, created_at)
      select merchant_id, '办公与校园标准选品', '饮料与零食，按季度更新', ${now} from machine_group
      where name = '写字楼与园区' returning id, merchant_id
    ), grouped as (
      insert into assortment_group (assortment_id, group_id)
      select made.id, g.id from made join machine_group g on g.merchant_id = made.merchant_id
        and g.name = '写字楼与园区' returning assortment_id, group_id)
    insert into assortment_product (assortment_id, product_id)
    select distinct grouped.assortment_id, s.product_id
    from grouped join machine_group_member b on b.group_id = grouped.group_id
    join slot s on s.machine_id = b.machine_id join product p on p.id = s.product_id
    where abs(hashtext(p.code)) % 12 > 0`.execute(tx)
  await sql`insert into assortment_slot (assortment_id, slot_code, product_id)
    select assortment_id, code, product_id from (
      select g.assortment_id, s.code, s.product_id, row_number() over (
        partition by g.assortment_id, s.code order by count(*) desc, s.product_id) as place
      from assortment_group g join machine_group_member b using (group_id) join slot s on s.machine_id = b.machine_id
      join assortment_product p on p.assortment_id = g.assortment_id and p.product_id = s.product_id
      where s.layer = 1 group by g.assortment_id, s.code, s.product_id) ranked
    where place = 1`.execute(tx)
}

async function seedAccounts(tx: Tx, { merchants }: About, { keys, now }: { keys: AuthKeys; now: Date }): Promise<void> {
  const templates = JSON.stringify({ paid: 'OPENTM410', shipped: 'OPENTM411', refunded: 'OPENTM412' })
  const accounts = [
    { platform: 'wechat_account', name: '云柜生活', appId: 'wx5d0c1a9e7b3f2468', follows: true, secret: true },
    { platform: 'wechat_mini', name: '云柜随手购', appId: 'wx81f2b6c4d0e93a57', follows: false, secret: true },
    { platform: 'alipay_mini', name: '云柜支付宝小程序', appId: '2021003112345678', follows: false, secret: false },
  ]
  for (const { platform, name, appId, follows, secret } of accounts) {
    const made = await sql<{ id: number }>`
      insert into official_account (merchant_id, platform, name, app_id, link, must_follow, templates, created_at)
      values (${idOf(merchants, DEMO_OPERATOR)}, ${platform}, ${name}, ${appId},
        ${`https://m.aisle.example/${platform.startsWith('wechat') ? 'w' : 'a'}/{code}`}, ${follows},
        ${templates}::jsonb, ${now}) returning id`.execute(tx)
    const id = made.rows[0]?.id ?? 0
    if (secret) {
      // Opens nothing: these accounts are invented.
      const sealed = seal(keys, `officialAccount:${id}`, 'demo-secret-of-nobody')
      await sql`update official_account set sealed_secret = ${sealed} where id = ${id}`.execute(tx)
    }
    await sql`insert into official_account_machine (machine_id, platform, account_id)
      select m.id, ${platform}, ${id} from machine m
      where m.merchant_id = ${idOf(merchants, DEMO_OPERATOR)} and abs(hashtext(m.code || ${platform})) % 3 > 0`.execute(
      tx,
    )
  }
}
