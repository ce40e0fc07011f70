import { Client } from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from './testing'
import { describeSchema } from './testing.schema'

/** What a migration comes to is read in the difference of the kept text, which goes into the same commit. */
const HEAD = `# What the database is once it is migrated. Whoever adds a migration renews this and reads the difference:
# npx vitest run --project database server/src/db/schema.test.ts -u
`

test('the schema is what schema.txt says', async () => {
  const { url, drop } = await freshDatabase()
  const client = new Client({ connectionString: url })
  await client.connect()
  const found = await describeSchema(client)
  await client.end()
  await drop()
  await expect(`${HEAD}${found}\n`).toMatchFileSnapshot('schema.txt')
})
