import { Client } from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from './testing'
import { writeTables } from './testing.tables'

test('the types of the tables are those of the migrated database', async () => {
  const { url, drop } = await freshDatabase()
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await expect(await writeTables(client)).toMatchFileSnapshot('./tables.ts')
  } finally {
    await client.end()
    await drop()
  }
})
