import { isIccid } from '@aisle/contract/fleet/flowCard'
import { sql } from 'kysely'
import { only } from '../../kernel/must'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

const allOfNone = { machines: { filter: {}, count: 1_000_000 } }

export const sight: SightCells = {
  hangsOn: {
    machines: 'machine',
    points: 'merchant',
    hospitals: 'merchant',
    areas: 'merchant',
    districts: 'merchant',
    routes: 'merchant',
    'machine-groups': 'merchant',
    'flow-cards': 'merchant',
    assortments: 'merchant',
    'official-accounts': 'merchant',
  },
  fields: {
    hospitalId: 'hospitals',
    forMerchantId: 'merchants',
    areaId: 'areas',
    routeId: 'routes',
    districtId: 'districts',
    groupId: 'machine-groups',
    groupIds: 'machine-groups',
    'fleet.setStops.ids': 'machines',
    'fleet.setFlowLimit.ids': 'flow-cards',
    // Products hang on a merchant; the family's have no nouns of their own (fleet/assortment.test.ts asks).
    productIds: null,
    'fleet.addOfficialAccount.appId': null,
    machineId: 'machines',
    machineIds: 'machines',
    pointId: 'points',
    'fleet.bindMachines.ids': 'machines',
    'fleet.copySettings.ids': 'machines',
    fromId: 'machines',
    copyFromId: 'machines',
  },
  given: {
    'fleet.addMachine': { layers: 1, slotsPerLayer: 1 },
    'fleet.addMembers': allOfNone,
    'fleet.dropMembers': allOfNone,
  },
  showsAbove: ['fleet.listPlaceable'],
  rows: {
    machines: async (_, { machines }) => machines[0]?.id ?? 0,
    points: async (db, { merchantId }) => {
      const found = await sql<{ id: number }>`select id from point where merchant_id = ${merchantId} limit 1`.execute(
        db,
      )
      return only(found).id
    },
    hospitals: (db, { merchantId, mark }) =>
      inserted(
        db,
        sql`insert into hospital (merchant_id, name, level, province, city)
          select ${merchantId}, ${mark} || ' hospital ' || n, 'iii_a', ${mark}, ${mark} from generate_series(1, 2) n`,
      ),
    areas: (db, { merchantId, mark }) =>
      inserted(db, sql`insert into area (merchant_id, name) values (${merchantId}, ${`${mark} area`})`),
    districts: async (db, { merchantId, mark, idOf }) =>
      inserted(
        db,
        sql`insert into district (merchant_id, area_id, name)
          values (${merchantId}, ${await idOf('areas')}, ${`${mark} district`})`,
      ),
    /** Two of each: the walk deletes the first one that nothing uses. */
    routes: (db, { merchantId, mark }) =>
      inserted(
        db,
        sql`insert into route (merchant_id, name) select ${merchantId}, ${mark} || ' route ' || n
          from generate_series(1, 2) n`,
      ),
    'machine-groups': (db, { merchantId, mark }) =>
      inserted(
        db,
        sql`insert into machine_group (merchant_id, name) select ${merchantId}, ${mark} || ' group ' || n
          from generate_series(1, 2) n`,
      ),
    'flow-cards': (db, { merchantId, mark }) =>
      inserted(
        db,
        sql`insert into flow_card (merchant_id, iccid, carrier, type, remark)
          select ${merchantId}, unnest(${[1, 2].map((n) => iccidOf(merchantId * 10 + n))}::text[]), 'cmcc', 'nano',
            ${mark}`,
      ),
    assortments: (db, { merchantId, mark }) =>
      inserted(
        db,
        sql`insert into assortment (merchant_id, name) select ${merchantId}, ${mark} || ' assortment ' || n
          from generate_series(1, 2) n`,
      ),
    'official-accounts': (db, { merchantId, mark }) =>
      inserted(
        db,
        sql`insert into official_account (merchant_id, platform, name, app_id, link)
          select ${merchantId}, 'wechat_mini', ${mark} || ' account ' || n,
            'wx' || lpad((${merchantId}::int * 10 + n)::text, 16, '0'), 'https://m.example/{code}'
          from generate_series(1, 2) n`,
      ),
  },
}

/** A number as it is printed on cards, with the digit that checks it. */
function iccidOf(n: number): string {
  const body = `8986${String(n).padStart(14, '0')}`
  return [...'0123456789'].map((digit) => body + digit).find(isIccid) ?? body
}
