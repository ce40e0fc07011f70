import { sql } from 'kysely'
import { rows } from '../../../server/src/db/rows'
import type { Reader } from '../../../server/src/kernel/context'
import { soundOf } from '../../../server/src/features/catalog/product.sound'
import { addSession, addUser } from '../../../server/src/testing/fixtures'
import type { Cluster, Fresh } from './database'
import { makeNetwork } from './network'

const PRODUCTS = 200_000
const BRANDS =
  '康师 统一 农夫 娃哈 伊利 蒙牛 旺旺 达利 同仁 云南 三九 江中 白云 太极 哈药 修正 仁和 葵花 华素 亿丰'.split(' ')
const THINGS = '可乐 绿茶 红茶 矿泉水 牛奶 酸奶 饼干 薯片 坚果 巧克力 感冒灵 板蓝根 口罩 创可贴 维生素 止咳糖浆'.split(
  ' ',
)

export type Products = Fresh & {
  /** Of somebody who sees all of them. */
  token: string
  /** One barcode of them. */
  barcode: string
}

/** Products of so many merchants, as many of each; a merchant of the only one is who asks, else the platform. */
export async function seedProducts(cluster: Cluster, merchants: number): Promise<Products> {
  const fresh = await cluster.fresh(`products_${merchants}`)
  const { db } = fresh.pool
  await makeNetwork(db, { merchants, machines: 4, products: 4, slots: 1 })
  await addProducts(db, merchants)
  await fresh.pool.raw.query('vacuum analyze')
  const kind = merchants === 1 ? 'merchant_admin' : 'platform_admin'
  const { id } = await addUser(db, { merchantId: merchants === 1 ? 101 : 1, kind, grants: ['*'] })
  return { ...fresh, token: await addSession(db, id, new Date()), barcode: '6900000123456' }
}

async function addProducts(db: Reader, merchants: number): Promise<void> {
  const names = BRANDS.flatMap((brand) => THINGS.map((thing) => `${brand}${thing}`))
  const named = names.map((name, n) => ({ n, name, sound: soundOf(name) }))
  await sql`insert into product (id, merchant_id, code, name, sound, brand, kind, cost_fen, price_fen)
    select 10 + g.n, 101 + g.n % ${merchants}::int, 'SKU' || g.n, w.name || ' ' || g.n || 'ml', w.sound,
      left(w.name, 2), 'goods', 200, 500
    from generate_series(1, ${PRODUCTS}::int) as g(n)
    join ${rows('w', named, { n: 'int', name: 'text', sound: 'text' })} on w.n = g.n % ${names.length}::int`.execute(db)
  await sql`insert into product_barcode (merchant_id, code, product_id)
    select merchant_id, '69' || lpad((id - 10)::text, 11, '0'), id from product where id > 10`.execute(db)
  await sql`select setval(pg_get_serial_sequence('product', 'id'), 1000000)`.execute(db)
}
