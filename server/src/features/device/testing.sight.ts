import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { only } from '../../kernel/must'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

const allOfNone = { machines: { filter: {}, count: 1_000_000 } }

export const sight: SightCells = {
  hangsOn: {
    'machine-commands': 'machine',
    'command-batches': 'machine',
    'machine-tests': 'machine',
    'remote-ships': 'machine',
    'app-packages': 'merchant',
    rollouts: 'machine',
  },
  fields: {
    'device.sendToMachines.ids': 'machines',
    batchId: 'command-batches',
    packageId: 'app-packages',
    // The machine's name for a command, in answers only.
    cmdId: null,
  },
  given: {
    'device.sendBatch': allOfNone,
  },
  rows: {
    'command-batches': addBatch,
    'machine-commands': async (db, { machines }) => {
      const found = await sql<{ id: number }>`select seq as id from device_command
        where machine_id = ${machines[0]?.id} order by seq limit 1`.execute(db)
      return only(found).id
    },
    'machine-tests': (db, { machines, at, mark }) =>
      inserted(
        db,
        sql`insert into machine_test (merchant_id, machine_id, scope, puts_back, reason, state, started_at, ended_at)
          select merchant_id, id, 'all', true, ${`${mark} test`}, 'passed', ${at}, ${at}
          from machine, generate_series(1, 2) where id = ${machines[0]?.id}`,
      ),
    'remote-ships': (db, { machines, at, mark }) =>
      inserted(
        db,
        sql`insert into remote_ship (merchant_id, machine_id, slot_code, place_id, product_id, order_no, command_id,
            cost_fen, reason, state, created_at)
          select m.merchant_id, m.id, s.code, s.place_id, s.product_id, 'RS-' || n, gen_random_uuid(), 200,
            ${`${mark} gift`}, 'unknown', ${at}
          from machine m join slot s on s.machine_id = m.id, generate_series(1, 2) n where m.id = ${machines[0]?.id}`,
      ),
    'app-packages': (db, { merchantId, mark, at }) =>
      inserted(
        db,
        sql`insert into app_package (merchant_id, version, url, sha256, created_at)
          select ${merchantId}, ${`${mark} `} || n, 'https://software.example/', repeat('a', 64), ${at}
          from generate_series(1, 2) n`,
      ),
    rollouts: async (db, { merchantId, machines, mark, idOf, at }) => {
      const id = await inserted(
        db,
        sql`insert into rollout (merchant_id, package_id, reason, waves, failure_limit_percent, created_at)
          select ${merchantId}, ${await idOf('app-packages')}, ${`${mark} update`}, '{100}', 5, ${at}
          from generate_series(1, 2)`,
      )
      await sql`insert into rollout_machine (rollout_id, machine_id, wave)
        select r.id, m, 1 from rollout r, unnest(${machines.map((each) => each.id)}::bigint[]) m
        where r.merchant_id = ${merchantId}`.execute(db)
      return id
    },
  },
}

/** One batch with a command to each machine of the branch, and its number. */
async function addBatch(db: Reader, { merchantId, machines, mark, at }: BranchBase): Promise<number> {
  const made = await sql<{ id: number }>`
    with batch as (
      insert into command_batch (id, merchant_id, type, data, reason, created_at, asked)
      select gen_random_uuid(), ${merchantId}, 'reboot', '{}', ${`${mark} batch`}, ${at}, 2 from generate_series(1, 2)
      returning id, seq
    ), asked as (
      insert into device_command (id, merchant_id, machine_id, type, data, reason, batch_id, created_at, expires_at)
      select gen_random_uuid(), m.merchant_id, m.id, 'reboot', '{}', ${`${mark} batch`}, batch.id, ${at},
        ${at}::timestamptz + interval '10 minutes'
      from batch, machine m where m.id = any(${machines.map(({ id }) => id)}::bigint[])
    ) select seq as id from batch order by seq`.execute(db)
  return only(made).id
}
