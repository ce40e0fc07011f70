import { expect, test } from 'vitest'
import { readDex } from '../../../server/src/features/device/record/dex.rules'
import { auditFile } from './audit'
import { openTestServer, openTestWorld } from '../testing'

test('the audit file of a simulated machine is one that the server believes', async () => {
  const server = await openTestServer()
  const fleet = await openTestWorld({ url: server.url })
  const machine = await fleet.start()
  Object.assign(machine.slots[0] ?? {}, { sold: 3, soldFen: 1050, soldCashFen: 350 })
  const result = readDex(auditFile(machine))
  await fleet.stop()
  await server.stop()
  expect(result).toMatchObject({
    ok: true,
    read: {
      assetNumber: 'M1001',
      totals: { paid: { initCount: 3, initFen: 1050 }, cashless1: { initFen: 700 } },
      selections: [{ code: 'A1', priceFen: 350, paid: { initCount: 3, initFen: 1050 } }, {}, {}],
    },
  })
})
